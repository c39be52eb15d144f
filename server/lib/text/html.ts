/** Text that is markup already. All other values in a page are escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A template whose values are escaped, so that no name can become markup. Lists are joined. */
export function html(strings: TemplateStringsArray, ...values: (Html | string | number | readonly Html[])[]): Html {
  const parts = strings.map((string, index) => {
    const value = index < values.length ? values[index] : '';
    return string + render(value ?? '');
  });
  return new Html(parts.join(''));
}

function render(value: Html | string | number | readonly Html[]): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map((part: Html) => part.text).join('');
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
