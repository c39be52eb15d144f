// A long list as a grid: assistive technology is told the number of all rows, and which of them are in the document.

import { elements, make, required } from '../../lib/dom.ts';

/** Changes the table of the page. @returns the element of its rows, without rows */
export function asGrid(table: HTMLElement, total: number): HTMLElement {
  const list = required(table, '.items');
  const rows = make('div', { class: 'items', role: 'rowgroup' });
  rows.style.setProperty('--rows', String(total));
  list.replaceWith(rows);
  table.classList.add('long');
  const label = list.getAttribute('aria-label') ?? '';
  // The row of the heads is the first.
  setAttributes(table, { role: 'grid', 'aria-label': label, 'aria-rowcount': total + 1, 'aria-multiselectable': true });
  const heads = required(table, '.heads');
  setAttributes(heads, { role: 'row', 'aria-rowindex': 1 });
  asCell(required(heads, '.pick'), 'columnheader');
  for (const head of elements(heads, '.what, .when, .bytes')) head.setAttribute('role', 'columnheader');
  required(heads, '.more').setAttribute('aria-hidden', 'true');
  return rows;
}

/** @param item an entry of the list @param prepare called before it becomes a row */
export function asGridRow(item: Element, index: number, prepare: (row: HTMLElement) => void): HTMLElement {
  const row = make('div', {}, ...item.childNodes);
  for (const { name, value } of item.attributes) row.setAttribute(name, value);
  prepare(row);
  row.style.setProperty('--at', String(index));
  setAttributes(row, { role: 'row', 'aria-rowindex': index + 2 });
  for (const control of elements(row, ':scope > :is(.pick, .open, .more)')) asCell(control, 'gridcell');
  for (const cell of elements(row, ':scope > :is(.when, .bytes)')) cell.setAttribute('role', 'gridcell');
  return row;
}

/** A control keeps its own role inside of its cell. */
function asCell(control: HTMLElement, role: 'columnheader' | 'gridcell'): void {
  const cell = make('span', { class: 'cell', role });
  control.replaceWith(cell);
  cell.append(control);
}

function setAttributes(element: HTMLElement, attributes: Readonly<Record<string, string | number | boolean>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}
