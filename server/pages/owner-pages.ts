import { type Html, html } from './html.ts';
import { texts } from './texts.ts';

/** The first run, until the control panel takes its place: one form. */
export function setupCard(): Html {
  const { setup } = texts;
  return html`${lockedNote()}
<div id="content" hidden>
<h1>${setup.heading}</h1>
<p>${setup.lead}</p>
<form id="set-up" novalidate>
${field('owner', 'text', setup.owner, setup.ownerHelp, 'username')}
${field('password', 'password', setup.password, setup.passwordHelp, 'new-password')}
${field('repeat', 'password', setup.repeat, '', 'new-password')}
<div class="check"><input type="checkbox" id="api" name="api" checked aria-describedby="api-help"><div><label for="api">${setup.api}</label><p class="help" id="api-help">${setup.apiHelp}</p></div></div>
<p class="note" id="note" role="alert" hidden></p>
<button>${setup.submit}</button>
</form>
</div>`;
}

/** What a new owner needs next, until the control panel takes its place. */
export function overviewCard(): Html {
  const { overview } = texts;
  return html`${lockedNote()}
<div id="content" hidden>
<h1>${overview.heading}</h1>
<p>${overview.lead}</p>
<div id="attention"></div>
<h2>${overview.addresses}</h2>
<ul class="plain" id="addresses"></ul>
<h2>${overview.fingerprint}</h2>
<p class="value" id="fingerprint"></p>
<p><a id="certificate" href="#">${overview.certificate}</a></p>
<h2>${overview.folder}</h2>
<p class="value" id="folder"></p>
<h2>${overview.next}</h2>
<p id="api"></p>
<pre>${overview.enable}</pre>
<pre>${overview.client}</pre>
</div>`;
}

function lockedNote(): Html {
  const { locked, noScript } = texts;
  return html`<noscript><p class="note">${noScript}</p></noscript>
<div id="locked" hidden><h1>${locked.heading}</h1><p id="locked-why">${locked.lead}</p><p>${locked.again}</p><pre>${locked.command}</pre></div>`;
}

function field(name: string, type: 'text' | 'password', label: string, help: string, autocomplete: string): Html {
  return html`<div class="field"><label for="${name}">${label}</label>
<input type="${type}" id="${name}" name="${name}" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false" aria-describedby="${name}-help ${name}-error">
<p class="error" id="${name}-error" role="alert" hidden></p>
<p class="help" id="${name}-help">${help}</p></div>`;
}
