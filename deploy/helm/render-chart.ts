/**
 * Renders the chart for its test, since Helm is not a package: the part of Go templates that the chart uses. It is stricter
 * than Helm: an unknown function fails, and so does the output of a value that does not exist.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';

type Value = unknown;
type Fields = Record<string, Value>;
interface Scope {
  dot: Value;
  variables: Fields;
}
type Part = (scope: Scope) => string;
type Expression = (scope: Scope) => Value;

/** Returns the Kubernetes objects; `given` overrides values as `helm --values` does. */
export function renderChart(folder: string, given: Fields): Fields[] {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const chart = parse(read('Chart.yaml')) as { appVersion: string };
  const root = {
    Values: mergeValues(parse(read('values.yaml')), given),
    Release: { Name: 'navette' },
    Chart: { AppVersion: chart.appVersion },
  };
  const files = globSync('templates/*', { cwd: folder }).sort();
  const templates = new Map<string, Part>();
  const bodies = files.map((file) => ({ file, render: new TemplateParser(read(file), templates).parse() }));
  return bodies
    .filter(({ file }) => file.endsWith('.yaml'))
    .flatMap(({ file, render }) => {
      const documents = parseAllDocuments(render({ dot: root, variables: { $: root } }));
      const [error] = documents.flatMap(({ errors }) => errors);
      if (error) throw new Error(`${file}: ${error.message}`);
      return documents.map((document) => document.toJS() as Fields | null).filter((object) => object !== null);
    });
}

function mergeValues(base: Value, given: Value): Value {
  if (!isMap(base) || !isMap(given)) return given === undefined ? base : given;
  const names = new Set([...Object.keys(base), ...Object.keys(given)]);
  return Object.fromEntries([...names].map((name) => [name, mergeValues(base[name], given[name])]));
}

const isMap = (value: Value): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const isTrue = (value: Value): boolean =>
  Array.isArray(value) ? value.length > 0 : isMap(value) ? Object.keys(value).length > 0 : Boolean(value);

class TemplateParser {
  private readonly tokens: { text?: string; code?: string }[];
  private readonly templates: Map<string, Part>;
  private position = 0;

  constructor(source: string, templates: Map<string, Part>) {
    this.templates = templates;
    const trimmed = source.replaceAll(/\s*\{\{- /g, '{{ ').replaceAll(/ -\}\}\s*/g, ' }}');
    this.tokens = trimmed.split(/(\{\{[\s\S]*?\}\})/).map((piece) => {
      const code = /^\{\{\s*([\s\S]*?)\s*\}\}$/.exec(piece)?.[1];
      return code === undefined ? { text: piece } : { code: code.startsWith('/*') ? '' : code };
    });
  }

  parse(): Part {
    const { part } = this.parseUntil([]);
    return part;
  }

  /** Reads parts until one of the closing words, which it also returns. */
  private parseUntil(closing: string[]): { part: Part; end: string } {
    const parts: Part[] = [];
    const join = (end: string) => ({ part: (scope: Scope) => parts.map((part) => part(scope)).join(''), end });
    for (;;) {
      const token = this.tokens[this.position++];
      if (!token) {
        if (closing.length > 0) throw new Error(`missing ${closing.join(' or ')}`);
        return join('');
      }
      const { text, code = '' } = token;
      if (text !== undefined) parts.push(() => text);
      else if (closing.includes(code)) return join(code);
      else if (code !== '') parts.push(this.parseAction(code));
    }
  }

  private parseAction(code: string): Part {
    const [, word = '', rest = ''] = /^(\w+)\s+([\s\S]+)$/.exec(code) ?? [];
    if (word === 'define') return this.parseDefinition(rest);
    if (word === 'range') return this.parseRange(rest);
    if (word === 'if' || word === 'with') return this.parseBranch(word, this.compile(rest));
    const value = this.compile(code);
    return (scope) => print(value(scope), code);
  }

  private parseDefinition(name: string): Part {
    this.templates.set(JSON.parse(name) as string, this.parseUntil(['end']).part);
    return () => '';
  }

  private parseBranch(word: string, condition: Expression): Part {
    const first = this.parseUntil(['else', 'end']);
    const second = first.end === 'else' ? this.parseUntil(['end']).part : () => '';
    return (scope) => {
      const value = condition(scope);
      if (!isTrue(value)) return second(scope);
      return first.part(word === 'with' ? { ...scope, dot: value } : scope);
    };
  }

  private parseRange(code: string): Part {
    const [, key = '', item = '', list = ''] = /^(\$\w+), (\$\w+) := ([\s\S]+)$/.exec(code) ?? [];
    if (list === '') throw new Error(`range ${code}: write range $key, $value := …`);
    const values = this.compile(list);
    const body = this.parseUntil(['end']).part;
    return (scope) =>
      Object.entries(values(scope) as Fields)
        .sort(([a], [b]) => (a < b ? -1 : 1)) // as Go does
        .map(([name, value]) => ({ dot: value, variables: { ...scope.variables, [key]: name, [item]: value } }))
        .map(body)
        .join('');
  }

  /** A pipeline: each command receives the result of the one before as its last argument. */
  private compile(code: string): Expression {
    const commands = split(code, /^\|/).map((command) => split(command, /^\s+/));
    return (scope) => commands.reduce<Value[]>((piped, terms) => [this.call(terms, piped, scope)], [])[0];
  }

  private call([first = '', ...others]: string[], piped: Value[], scope: Scope): Value {
    if (!/^[a-z]/i.test(first)) return this.term(first, scope);
    const args = [...others.map((term) => this.term(term, scope)), ...piped];
    if (first === 'include') {
      const name = args[0] as string;
      const template = this.templates.get(name);
      if (!template) throw new Error(`no template ${name}`);
      return template({ dot: args[1], variables: { $: args[1] } });
    }
    const use = FUNCTIONS[first];
    if (!use) throw new Error(`unknown function ${first}`);
    return use(...(args as never[]));
  }

  private term(term: string, scope: Scope): Value {
    if (term.startsWith('(')) return this.compile(term.slice(1, -1))(scope);
    if (/^["\d]/.test(term)) return JSON.parse(term);
    const [, variable = '', path = ''] = /^(\$\w*)?\.?(.*)$/.exec(term) ?? [];
    const start = variable ? scope.variables[variable] : scope.dot;
    const names = path.split('.').filter((name) => name !== '');
    return names.reduce<Value>((value, name) => (value as Fields | undefined)?.[name], start);
  }
}

/** Splits outside of quotes and parentheses. */
function split(code: string, separator: RegExp): string[] {
  const parts = [''];
  let depth = 0;
  for (let at = 0; at < code.length; ) {
    const found = depth === 0 ? separator.exec(code.slice(at))?.[0] : undefined;
    const piece = found ?? /^"(?:[^"\\]|\\.)*"/.exec(code.slice(at))?.[0] ?? code.charAt(at);
    depth += piece === '(' ? 1 : piece === ')' ? -1 : 0;
    if (found) parts.push('');
    else parts.push(`${parts.pop()}${piece}`);
    at += piece.length;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

const FUNCTIONS: Record<string, (...args: never[]) => Value> = {
  default: (fallback: Value, value: Value) => (isTrue(value) ? value : fallback),
  dict: (...pairs: Value[]) =>
    Object.fromEntries(pairs.flatMap((name, at) => (at % 2 === 0 ? [[name as string, pairs[at + 1]]] : []))),
  eq: (a: Value, b: Value) => a === b,
  ne: (a: Value, b: Value) => a !== b,
  not: (value: Value) => !isTrue(value),
  nindent: (width: number, text: string) => `\n${text.replaceAll(/^(?=.)/gm, ' '.repeat(width))}`,
  printf: (format: string, ...values: Value[]) =>
    values.reduce<string>((text, value) => text.replace('%s', String(value)), format),
  quote: (value: Value) => JSON.stringify(print(value, 'quote')),
  required: (message: string, value: Value) => {
    if (!isTrue(value)) throw new Error(message);
    return value;
  },
  toYaml: (value: Value) => stringify(value).trimEnd(),
};

function print(value: Value, code: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return value.toString();
  throw new Error(`{{ ${code} }} has no text`);
}
