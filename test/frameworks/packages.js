const { join } = require('node:path');

/** Where the frameworks are installed, beside the packed module. Every `npm install` keeps this folder. */
exports.folder = join(__dirname, '..', '..', 'node_modules', '.cache', 'frameworks');

/** No devDependencies: 700 MB, for these tests. */
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
  // Nitro and Nuxt contain the first version.
  h3: '1.15.11',
  h3v2: 'npm:h3@2.0.8',
  nitropack: '2.13.6',
  hono: '4.13.19',
  koa: '3.3.0',
  koa2: 'npm:koa@2.16.4',
  next: '16.4.6',
  react: '19.3.1',
  'react-dom': '19.3.1',
  'reflect-metadata': '0.2.2',
  rxjs: '7.8.2',
  '@prisma/adapter-mariadb': '7.10.0',
  '@prisma/client': '7.10.0',
  'drizzle-orm': '0.45.4',
  mongoose: '9.12.1',
  prisma: '7.10.0',
  sequelize: '6.37.8',
  typeorm: '1.1.1',
  compression: '1.8.2',
  cors: '2.8.6',
  esbuild: '0.28.2',
  'express-session': '1.19.0',
  helmet: '8.3.0',
  'better-sqlite3': '13.2.0',
  mysql2: '3.24.5',
  knex: '3.3.0',
  winston: '3.19.0',
};
