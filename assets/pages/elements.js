// Elements of a page that a script makes, and what it tells those who listen.

/** An element with its attributes and content, written as text whatever is in it. */
export function make(tag, attributes = {}, ...content) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...content);
  return element;
}

/** A drawing that the page has. */
export function sprite(name) {
  const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  drawing.setAttribute('class', 'icon');
  drawing.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#i-${name}`);
  drawing.append(use);
  return drawing;
}

/** For who listens: what has changed on the page. */
export function say(text) {
  const region = document.getElementById('say');
  region.textContent = '';
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}
