import { describeCompiledExample } from './angularExample.js';

describeCompiledExample('22');
