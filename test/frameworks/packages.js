const { join } = require('node:path');

/** Where the frameworks are installed, beside the packed module. Every `npm install` keeps this folder. */
exports.folder = join(__dirname, '..', '..', 'node_modules', '.cache', 'frameworks');

/** No devDependencies: 300 MB, for this one test. */
exports.packages = {
  '@fastify/middie': '9.3.6',
  '@hono/node-server': '2.1.9',
  '@nestjs/common': '12.5.1',
  '@nestjs/core': '12.5.1',
  '@nestjs/platform-express': '12.5.1',
  '@nestjs/platform-fastify': '12.5.0',
  express: '5.3.0',
  express4: 'npm:express@4.22.3',
  fastify: '5.12.8',
  '@fastify/formbody': '9.0.1',
  hono: '4.13.19',
  koa: '3.3.0',
  koa2: 'npm:koa@2.16.4',
  next: '16.4.6',
  react: '19.3.1',
  'react-dom': '19.3.1',
  'reflect-metadata': '0.2.2',
  rxjs: '7.8.2',
  'better-sqlite3': '13.2.0',
  knex: '3.3.0',
  winston: '3.19.0',
};
