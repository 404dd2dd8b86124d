import { describeExample } from './angularExample.js';

describeExample('22');
