import { Html, html } from '../lib/text/html.ts';
import { LANGUAGE } from '../messages/catalogue.ts';

/** The contents of a mail, for both of its parts. */
export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** The main action; its address is written out below as well. */
  readonly button: { readonly label: string; readonly url: string; readonly help: string } | null;
  /** Why the recipient got it. */
  readonly why: string;
}

export const MARK_ID = 'mark@larder';

/** The plain text part. */
export function textOf({ heading, paragraphs, button, why }: Message): string {
  const action = button === null ? [] : [`${button.label}:`, button.url, button.help];
  return `${[heading, ...paragraphs, ...action, '--', why].join('\n\n')}\n`;
}

const FONT = new Html(
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Noto Sans',Ubuntu,'Helvetica Neue',Arial,sans-serif",
);

/** The HTML part: tables and inline styles, because mail programs support little else. */
export function htmlOf({ heading, paragraphs, button, why }: Message, household: string): string {
  const text = paragraphs.map(
    (line) =>
      html`<p class="ink2" style="margin:0 0 16px;color:#474d47;${FONT};font-size:16px;line-height:24px">${line}</p>\n`,
  );
  const action =
    button === null
      ? ''
      : html`<p style="margin:24px 0"><a class="button" href="${button.url}" style="display:inline-block;padding:12px 24px;background:#1f5a43;border-radius:10px;color:#ffffff;${FONT};font-size:16px;line-height:24px;font-weight:600;text-decoration:none">${button.label}</a></p>
<p class="ink3" style="margin:0 0 8px;color:#63685f;${FONT};font-size:14px;line-height:20px">${button.help}</p>
<p class="ink3" style="margin:0;color:#63685f;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:13px;line-height:18px;word-break:break-all">${button.url}</p>`;
  return html`<!doctype html>
<html lang="${LANGUAGE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${heading}</title>
<style>
@media (prefers-color-scheme: dark) {
  .canvas { background: #111310 !important; }
  .card { background: #1c1f1b !important; border-color: #2e332d !important; }
  .ink { color: #eceee8 !important; }
  .ink2 { color: #bcc1b8 !important; }
  .ink3 { color: #a0a69c !important; }
  .button { background: #86c8a6 !important; color: #0c1c14 !important; }
}
</style>
</head>
<body class="canvas" style="margin:0;background:#f5f4f0">
<table class="canvas" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f5f4f0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px">
<tr><td style="padding:0 0 16px 4px"><table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td><img src="cid:${MARK_ID}" width="32" height="32" alt="" style="display:block"></td>
<td class="ink" style="padding-left:10px;color:#1c211d;${FONT};font-size:16px;line-height:24px;font-weight:600">${household}</td>
</tr></table></td></tr>
<tr><td class="card" style="padding:32px;background:#ffffff;border:1px solid #e1ded6;border-radius:16px">
<h1 class="ink" style="margin:0 0 16px;color:#1c211d;${FONT};font-size:26px;line-height:32px;font-weight:600">${heading}</h1>
${text}${action}
</td></tr>
<tr><td class="ink3" style="padding:20px 4px 0;color:#63685f;${FONT};font-size:14px;line-height:20px">${why}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`.text;
}
