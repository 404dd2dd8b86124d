/**
 * Registers the matchers of `coldfetch/testing`. Name it in vitest's `setupFiles` or Jest's `setupFilesAfterEnv`.
 */
import { findExpect } from './frameworkExpect.js';
import './matcherTypes.js';
import { matchers } from './matchers.js';

// Jest's `setupFiles` run before there is an `expect`: the first marbles block registers the matchers then.
findExpect()?.extend(matchers);
