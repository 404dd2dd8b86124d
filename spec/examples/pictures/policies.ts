import { policies, type PolicyName } from 'coldfetch';
import { joinTimelines, renderSvg } from 'coldfetch/timeline';
import { parseExplainScript } from '../../../src/cli/explain/parseExplainScript.js';
import { playScript } from '../../../src/cli/explain/playScript.js';

const SCRIPT = '429{retry-after:20} 503 hang 200';

/** One bad minute of a server, as each of the policies lives through it. */
export function policiesPicture(): string {
  const steps = parseExplainScript(SCRIPT);
  const rows = (Object.keys(policies) as PolicyName[]).map((name) => {
    const policy = { ...policies[name], random: () => 0.5 };
    return playScript({ policy, steps, method: 'GET', headers: {}, latency: 300, label: name, limiter: false, maxWait: Infinity }).timeline;
  });
  return renderSvg(joinTimelines(rows), { title: SCRIPT });
}
