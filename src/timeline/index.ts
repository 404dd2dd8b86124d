/**
 * coldfetch/timeline: the course of requests as data, as text, and as a picture.
 *
 * @packageDocumentation
 */
export { formatDuration } from '../request/duration.js';
export { joinTimelines } from './joinTimelines.js';
export type { TimelineOptions } from './recordRequest.js';
export { type MarblesOptions, renderMarbles } from './renderMarbles.js';
export { renderSvg, type SvgOptions } from './svg/renderSvg.js';
export { renderTable, type TableOptions } from './renderTable.js';
export type { Theme } from './svg/theme.js';
export type {
  AttemptFailure,
  Timeline,
  TimelineAttempt,
  TimelineOutcome,
  TimelineRequest,
  TimelineStep,
  TimelineWait,
} from './TimelineData.js';
export { timeline } from './timeline.js';
export { timelineRecorder, type TimelineRecorder, type TimelineRecorderOptions } from './timelineRecorder.js';
