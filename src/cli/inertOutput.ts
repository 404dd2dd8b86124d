import { printableJson } from '../request/printable.js';

/** Marks of commands that CI services look for anywhere in a log line: GitHub (`##[`), Azure Pipelines (`##vso[`), TeamCity. */
const MARK = /#(?=#(?:\[|vso\[|teamcity\[))/gi;

/**
 * The same lines, none of them a command to a CI service: GitHub reads `::set-output ...` at the start of a line, others read marks in it.
 */
export function inertLine(text: string): string {
  return text.replace(MARK, '\\x23').replace(/^([ \t]*):(?=:)/gm, '$1\\x3a');
}

/** JSON text for a terminal or a log: the same value, in which control characters and a CI service's marks are escaped. */
export function inertJson(json: string): string {
  return printableJson(json).replace(MARK, '\\u0023');
}
