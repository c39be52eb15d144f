interface Status {
  readonly catalogue: readonly { readonly state: string }[];
  readonly texts: { readonly waiting: number; readonly indexed: number };
  readonly embedded: { readonly waiting: number };
}

/** The owner's side of a running server, by the link to the panel that it printed. */
export class Control {
  readonly #base: string;
  readonly #token: string;

  private constructor(base: string, token: string) {
    this.#base = base;
    this.#token = token;
  }

  /** @param printed what the server printed: with the link, which works once */
  static async open(printed: string): Promise<Control> {
    const [, base = '', secret = ''] = /(http:\/\/127\.0\.0\.1:\d+)\/#open=([\w-]+)/.exec(printed) ?? [];
    const { token } = (await post(`${base}/control-link`, {}, { secret })) as { token: string };
    return new Control(base, token);
  }

  async status(): Promise<Status> {
    return (await post(`${this.#base}/control/status`, this.#headers, {})) as never;
  }

  /** Resolves when the one home there is has come to one of these states, told by the server itself. */
  async until(states: readonly string[]): Promise<void> {
    const abort = new AbortController();
    const { body } = await fetch(`${this.#base}/control-events`, {
      method: 'POST',
      headers: this.#headers,
      signal: abort.signal,
    });
    let text = '';
    for await (const chunk of body ?? []) {
      text = (text + Buffer.from(chunk).toString('utf8')).slice(-2_000);
      if (states.some((state) => text.includes(`"state":"${state}"`))) break;
    }
    abort.abort();
  }

  get #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#token}` };
  }
}

async function post(url: string, headers: Record<string, string>, body: unknown): Promise<unknown> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return reply.json();
}
