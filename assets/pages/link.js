// Pages of web links: what is chosen, and the next entries when somebody comes to the end. Without this all of it works, too.

import { texts } from './link-texts.js';

const form = document.querySelector('form.take');
const words = texts.selected;

if (form !== null) {
  document.body.classList.add('scripted');
  const boxes = () => [...form.querySelectorAll('.pick input')];
  const count = document.getElementById('count');

  const draw = () => {
    const chosen = boxes().filter(({ checked }) => checked).length;
    document.body.classList.toggle('choosing', chosen > 0);
    if (count === null) return;
    count.textContent = chosen === 1 ? words.one : words.many.replace('{0}', chosen.toLocaleString('en-GB'));
  };
  form.addEventListener('change', draw);
  form.addEventListener('submit', (event) => {
    // Whoever has pressed Enter in a box means what is chosen.
    if (event.submitter === null) event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !document.body.classList.contains('choosing')) return;
    for (const box of boxes()) box.checked = false;
    draw();
  });
  draw();

  const more = form.querySelector('.more-rows a');
  if (more !== null && 'IntersectionObserver' in window) {
    const seen = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void addMore();
      },
      { rootMargin: '600px' },
    );
    seen.observe(more);
    let isAsking = false;

    async function addMore() {
      if (isAsking) return;
      isAsking = true;
      const response = await fetch(more.href, { headers: { Accept: 'text/html' } }).catch(() => null);
      isAsking = false;
      // The button is still there to be pressed.
      if (response?.ok !== true) return seen.disconnect();
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      for (const name of ['.cards', '.pictures', '.rows']) {
        const next = page.querySelector(`form.take ${name}`);
        const here = form.querySelector(name);
        if (next === null) continue;
        if (here !== null) here.append(...next.children);
        else more.parentElement.before(next);
      }
      const further = page.querySelector('form.take .more-rows a');
      if (further === null) {
        seen.disconnect();
        more.parentElement.remove();
        return;
      }
      more.href = further.href;
      more.textContent = further.textContent;
      seen.unobserve(more);
      seen.observe(more);
    }
  }
}

// Arrows go to the files before and after.
document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, textarea') !== null) return;
  const rel = { ArrowLeft: 'prev', ArrowRight: 'next' }[event.key];
  if (rel !== undefined) document.querySelector(`.steps-along a[rel="${rel}"]`)?.click();
});

if (document.querySelector('form.send') !== null) void import('./link-send.js');
