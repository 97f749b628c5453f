import type { Report } from './report.ts';

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .5rem; text-align: left; vertical-align: top; }
.passed { color: light-dark(#137333, #81c995); } .failed { color: light-dark(#b3261e, #f2b8b5); font-weight: 600; }
code { overflow-wrap: anywhere; }`;

/** One page without scripts, fonts or images from elsewhere. */
export function writeHtml({ kind, target, at, isCertified, counts, results }: Report): string {
  const rows = results.map(({ id, title, outcome, detail, remedy }) => {
    const todo = outcome === 'failed' ? `<p>${escapeHtml(remedy)}</p>` : '';
    const seen = detail === null ? '' : `<code>${escapeHtml(detail)}</code>`;
    return `<tr><td class="${outcome.replace(' ', '-')}">${outcome}</td><td>${escapeHtml(title)}<br><code>${escapeHtml(id)}</code></td><td>${seen}${todo}</td></tr>`;
  });
  const title = `The ${kind} ${isCertified ? 'passed' : 'failed'}`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${STYLE}</style></head>
<body>
<h1>${title}</h1>
<p><code>${escapeHtml(target)}</code>, <time datetime="${at}">${at}</time>: ${counts.passed} passed, ${counts.failed} failed, ${counts.notJudged} not judged.</p>
<table>
<thead><tr><th scope="col">Result</th><th scope="col">Check</th><th scope="col">What was seen, and what to do</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</body>
</html>
`;
}
