import type { Compared, Row } from './rows.ts';
import type { Statistics } from './statistics.ts';

const [OPENING, CLOSING] = ['<!-- bench -->', '<!-- /bench -->'];

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly system: string;
  readonly node: string;
  /** `2026-03-01` */
  readonly date: string;
}

/** One row for each work and, below it, one for each further yardstick, which decides nothing. */
export function markdownTable(rows: readonly Row[]): string {
  const lines = rows.flatMap((row) => {
    const [deciding, ...others] = row.yardsticks;
    return [
      [
        row.title,
        withUnit(row.larder, row.unit),
        yardstickText(deciding),
        ratioText(deciding),
        targetText(row),
        verdictText(row),
      ],
      ...others.map((other) => ['', '', yardstickText(other), ratioText(other), '', '']),
    ];
  });
  const header = ['Work', 'Larder: median (min–max)', 'Yardstick', 'Ratio', 'Target', ''];
  const rule = ['---', '---', '---', '---:', '---', '---'];
  return [header, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function machineLine({ cpu, cores, system, node, date }: Machine, runs: number): string {
  return `${cpu}, ${cores} cores, ${system}, Node ${node}; ${runs} runs each; ${date}.`;
}

/** @throws Error when the markers are not both there, in this order */
export function replaceBetweenMarkers(text: string, content: string): string {
  const from = text.indexOf(OPENING);
  const to = text.indexOf(CLOSING);
  if (from === -1 || to < from) throw new Error(`the markers ${OPENING} and ${CLOSING} are missing`);
  return `${text.slice(0, from + OPENING.length)}\n${content}\n${text.slice(to)}`;
}

function withUnit(statistics: Statistics | null, unit: string): string {
  return statistics === null ? '–' : `${statisticsText(statistics)} ${unit}`;
}

function yardstickText(compared: Compared | undefined): string {
  return compared === undefined ? '–' : `${compared.name}: ${statisticsText(compared.statistics)}`;
}

function statisticsText({ median, min, max }: Statistics): string {
  return `${numberText(median)} (${numberText(min)}–${numberText(max)})`;
}

function ratioText(compared: Compared | undefined): string {
  return compared === undefined ? '–' : compared.ratio.toFixed(2);
}

function targetText({ bound, unit }: Row): string {
  if (bound.kind === 'none') return '–';
  if (bound.kind === 'value') return `≤ ${bound.most} ${unit}${bound.of === 'max' ? ', every run' : ''}`;
  return 'least' in bound ? `ratio ≥ ${bound.least}` : `ratio ≤ ${bound.most}`;
}

function verdictText({ verdict, note }: Row): string {
  const word = verdict === 'met' ? 'met' : verdict === 'no target' ? '' : `**${verdict}**`;
  // A bar would end the cell.
  const reason = note?.replaceAll('|', '/').replaceAll('\n', ' ') ?? '';
  return word === '' || reason === '' ? word + reason : `${word}: ${reason}`;
}

/** Three digits that mean something. */
function numberText(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
