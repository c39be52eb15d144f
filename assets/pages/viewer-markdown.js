// Shows Markdown as it is meant. What is written in it stays text: no markup of its own, no picture from elsewhere, and no link,
// because nothing may be opened from here; where one leads is written beside it.

import MarkdownIt from './markdown-it.mjs';

const main = document.querySelector('main');
const source = main.querySelector('pre');
const texts = JSON.parse(main.dataset.texts);

const markdown = new MarkdownIt({ html: false });
const { escapeHtml } = markdown.utils;
const { rules } = markdown.renderer;

const addresses = [];
rules.link_open = (tokens, index) => {
  const link = tokens[index];
  const address = link.attrGet('href') ?? '';
  addresses.push(link.markup !== 'autolink' && /^(?:https?|mailto):/i.test(address) ? address : '');
  return '<span class="link">';
};
rules.link_close = () => {
  const address = addresses.pop();
  return address === '' ? '</span>' : `</span> <span class="address">${escapeHtml(address)}</span>`;
};
rules.image = (tokens, index, options, env, renderer) => {
  const words = renderer.renderInlineAsText(tokens[index].children ?? [], options, env);
  return `<span class="picture">${escapeHtml(texts.picture.replace('{0}', () => words))}</span>`;
};
// Wide ones are moved sideways, with the keyboard too.
rules.table_open = () => '<div class="wide" tabindex="0" role="group"><table>';
rules.table_close = () => '</table></div>';

const article = document.createElement('article');
article.innerHTML = markdown.render(source.textContent);
source.replaceWith(article);
document.documentElement.dataset.ready = '';
