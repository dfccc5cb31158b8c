import { createApiSection, createPanelApi } from 'koa-panel-api';
import { listen } from './listen.cjs';

listen({ createApiSection, createPanelApi });
