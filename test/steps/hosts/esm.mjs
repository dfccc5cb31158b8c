import { createPanelApi } from 'koa-panel-api';
import { listen } from './listen.cjs';

listen(createPanelApi);
