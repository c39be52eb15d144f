import { t } from 'virtual:messages/lib';
import { elements, make } from './dom.ts';

/** Outlines from Tabler Icons (MIT, Paweł Kuna), with a view box of 24. */
const EYE = 'M10 12a2 2 0 1 0 4 0a2 2 0 0 0-4 0M21 12q-3.6 6-9 6t-9-6q3.6-6 9-6t9 6';
const CROSSED = 'M4 4l16 16';

/**
 * Adds a button to every password field that shows what is typed. The caret stays where it is, and the password is hidden again when
 * the form is sent, so that browsers remember it as one. Without this, they are plain password fields.
 */
export function addPasswordEyes(root: ParentNode): void {
  for (const field of elements<HTMLInputElement>(root, 'input[type=password]')) {
    if (field.closest('.with-eye') === null) addEye(field);
  }
}

function addEye(field: HTMLInputElement): void {
  const eye = make(
    'button',
    {
      type: 'button',
      class: 'eye',
      'aria-pressed': 'false',
      'aria-label': t('fields.showTyped'),
      'aria-controls': field.id,
    },
    drawing(),
  );
  const show = (isShown: boolean) => {
    const { selectionStart, selectionEnd } = field;
    field.type = isShown ? 'text' : 'password';
    eye.setAttribute('aria-pressed', String(isShown));
    // Changing the type moves the caret, in some browsers only when the field is drawn again.
    const restore = () => field.setSelectionRange(selectionStart, selectionEnd);
    restore();
    requestAnimationFrame(restore);
  };
  // The field keeps the focus, and a phone its keyboard.
  eye.addEventListener('mousedown', (event) => event.preventDefault());
  eye.addEventListener('click', () => show(field.type === 'password'));
  field.form?.addEventListener('submit', () => show(false));
  field.autocapitalize = 'none';
  field.spellcheck = false;
  const hadFocus = document.activeElement === field;
  const around = make('span', { class: 'with-eye' });
  field.replaceWith(around);
  around.append(field, eye);
  if (hadFocus) field.focus();
}

function drawing(): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  for (const outline of [EYE, CROSSED]) {
    const path = document.createElementNS(namespace, 'path');
    path.setAttribute('d', outline);
    svg.append(path);
  }
  return svg;
}
