import { type Html, html } from '../lib/html.ts';
import { icon } from './icons.ts';
import { mark } from './layout.ts';
import { texts } from './texts.ts';

/** The first run, until the control panel takes its place: one form, beside the shelves it fills. */
export function setupContent(assets: string): Html {
  const { setup } = texts;
  return html`<div class="first-run">
<main>
<header>${mark(assets)}<span>Larder</span></header>
<h1>${setup.heading}</h1>
<p class="lead">${setup.lead}</p>
<form id="set-up" novalidate>
<div class="note" id="note" role="alert" tabindex="-1" hidden>${icon('alert')}<span></span></div>
${field('owner', 'text', setup.owner, setup.ownerHelp, 'username')}
${field('password', 'password', setup.password, setup.passwordHelp, 'new-password')}
${field('repeat', 'password', setup.repeat, null, 'new-password')}
<div class="check"><input type="checkbox" id="api" name="api" checked aria-describedby="api-help"><label for="api">${setup.api}</label><p class="help" id="api-help">${setup.apiHelp}</p></div>
<div class="actions"><button class="primary">${setup.submit}</button></div>
</form>
</main>
<aside><img src="${assets}/shelves.svg" width="408" height="480" alt=""><p>${setup.shelves}</p></aside>
</div>`;
}

/** What a new owner needs next, until the control panel takes its place. */
export function overviewContent(assets: string, household: string): Html {
  const { overview } = texts;
  return html`<div class="overview">
<header>${mark(assets)}<span>${household}</span></header>
<main>
<h1>${overview.heading(household)}</h1>
<p class="lead">${overview.lead}</p>
<div id="attention"></div>
<div class="sections">
<section>
<h2>${overview.addresses}</h2>
<p class="help">${overview.addressesHelp}</p>
<div id="addresses"></div>
<h3>${overview.folder}</h3>
<p class="mono" id="folder"></p>
</section>
<section>
<h2>${overview.trust}</h2>
<p class="help">${overview.trustHelp}</p>
<a class="button" id="certificate" href="#">${icon('download')}${overview.certificate}</a>
<h3>${overview.authority}</h3>
<p class="mono" id="authority"></p>
<h3>${overview.fingerprint}</h3>
<p class="mono" id="fingerprint"></p>
</section>
<section class="wide">
<h2>${overview.next}</h2>
<p class="help" id="api"></p>
<div id="commands"></div>
</section>
</div>
</main>
<template id="attention-note"><p class="note care">${icon('warning')}<span></span></p></template>
<template id="copied-line"><div class="copied"><code></code><button>${icon('copy')}<span></span></button></div></template>
</div>`;
}

/** A page whose link was used or never there. */
export function lockedCard(): Html {
  const { locked } = texts;
  return html`<h1>${locked.heading}</h1>
<p id="locked-why">${locked.lead}</p>
<p>${locked.again}</p>
<pre>${locked.command}</pre>`;
}

export function noScriptCard(): Html {
  const { noScript } = texts;
  return html`<h1>${noScript.heading}</h1>
<p>${noScript.lead}</p>
<pre>${noScript.command}</pre>`;
}

function field(
  name: string,
  type: 'text' | 'password',
  label: string,
  help: string | null,
  autocomplete: string,
): Html {
  const helpLine = help === null ? html`` : html`<p class="help" id="${name}-help">${help}</p>`;
  const describedBy = help === null ? `${name}-error` : `${name}-error ${name}-help`;
  return html`<div class="field"><label for="${name}">${label}</label>
<input type="${type}" id="${name}" name="${name}" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false" required aria-describedby="${describedBy}">
<p class="error" id="${name}-error" role="alert" hidden>${icon('alert')}<span></span></p>
${helpLine}</div>`;
}
