// Renders Markdown. Embedded HTML stays text, external images are not loaded, and links are inactive, because nothing may be
// opened from here; their address is shown beside them.

import { t } from 'virtual:messages/viewer';
import MarkdownIt from 'markdown-it';
import { required } from '../lib/dom.ts';

const main = required(document, 'main');
const source = required(main, 'pre');

const markdown = new MarkdownIt({ html: false });
const { escapeHtml } = markdown.utils;
const { rules } = markdown.renderer;

/** For open links, the innermost last; empty if the address is the link's text, or is not allowed. */
const addresses: string[] = [];
rules.link_open = (tokens, index) => {
  const link = tokens[index];
  const address = String(link?.attrGet('href') ?? '');
  addresses.push(link?.markup !== 'autolink' && /^(?:https?|mailto):/i.test(address) ? address : '');
  return '<span class="link">';
};
rules.link_close = () => {
  const address = addresses.pop() ?? '';
  return address === '' ? '</span>' : `</span> <span class="address">${escapeHtml(address)}</span>`;
};
rules.image = (tokens, index, options, env, renderer) => {
  const alternative = renderer.renderInlineAsText(tokens[index]?.children ?? [], options, env);
  return `<span class="picture">${escapeHtml(t('viewer.markdown.picture', { description: alternative }))}</span>`;
};
// Wide tables scroll sideways, with the keyboard too.
rules.table_open = () => '<div class="wide" tabindex="0" role="group"><table>';
rules.table_close = () => '</table></div>';

const article = document.createElement('article');
article.innerHTML = markdown.render(source.textContent);
source.replaceWith(article);
document.documentElement.dataset.ready = '';
