const { join } = require('node:path');

/** Where the generators are installed, and where they write. Every `npm install` keeps this folder. */
exports.folder = join(__dirname, '..', '..', 'node_modules', '.cache', 'generators');

/** No devDependencies: half a gigabyte, for this one test. The first one contains its program for Java. */
exports.packages = {
  '@openapitools/openapi-generator-cli': '1.0.18-5.0.0-beta2',
  '@apiture/openapi-down-convert': '0.14.2',
  '@hey-api/openapi-ts': '0.95.0',
  orval: '7.13.2',
  '@kubb/cli': '4.39.3',
  '@kubb/core': '4.39.3',
  '@kubb/plugin-client': '4.39.3',
  '@kubb/plugin-oas': '4.39.3',
  '@kubb/plugin-ts': '4.39.3',
  '@kubb/plugin-zod': '4.39.3',
  '@stoplight/prism-cli': '5.14.2',
  'openapi-to-postmanv2': '6.3.3',
  newman: '6.2.2',
  esbuild: '0.25.12',
  zod: '4.6.7',
};

const JAVA = '/usr/share/java';
const PYTHON = '/usr/lib/python3/dist-packages';
const MONO = '/usr/lib/mono/4.5';

exports.jars = ['core', 'databind', 'annotations']
  .map((part) => `${JAVA}/jackson-${part}.jar`)
  .concat(`${JAVA}/jsr305.jar`);

exports.newtonsoft = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll';

/** Debian packages, each by a file of it. */
exports.debianPackages = {
  '/usr/bin/javac': 'default-jdk-headless',
  [`${JAVA}/jackson-databind.jar`]: 'libjackson2-databind-java',
  [`${JAVA}/jsr305.jar`]: 'libjsr305-java',
  '/usr/bin/mcs': 'mono-mcs',
  '/usr/bin/mono': 'mono-runtime',
  [exports.newtonsoft]: 'libnewtonsoft-json5.0-cil',
  [`${MONO}/System.ComponentModel.DataAnnotations.dll`]:
    'libmono-system-componentmodel-dataannotations4.0-cil',
  [`${MONO}/System.Runtime.Serialization.dll`]: 'libmono-system-runtime-serialization4.0-cil',
  [`${MONO}/Microsoft.CSharp.dll`]: 'libmono-microsoft-csharp4.0-cil',
  [`${PYTHON}/urllib3`]: 'python3-urllib3',
  [`${PYTHON}/dateutil`]: 'python3-dateutil',
  [`${PYTHON}/six.py`]: 'python3-six',
  [`${PYTHON}/certifi`]: 'python3-certifi',
};
