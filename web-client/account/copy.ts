// The buttons that copy an address, a user name or a new app password.

import { prepareCopy } from '../lib/copy-button.ts';
import { elements } from '../lib/dom.ts';

const said = document.getElementById('say');

for (const button of elements(document.body, '[data-copy]')) {
  prepareCopy(button, document, (text) => {
    if (said !== null) said.textContent = text;
  });
}
