module.exports = {
  basePath: process.env.PANEL_BASE_PATH,
  // Only the pages need it: a route of the App Router may be anywhere.
  rewrites: async () => ({
    fallback: [{ source: '/admin/api/:path*', destination: '/api/section/:path*' }],
  }),
  // What a panel may say about all of its pages.
  headers: async () => [
    {
      source: '/:path*',
      headers: [
        { key: 'Cache-Control', value: 'public, max-age=60' },
        { key: 'Content-Security-Policy', value: "default-src 'self' 'unsafe-inline'" },
      ],
    },
  ],
};
