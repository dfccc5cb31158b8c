<?php
/**
 * Checks a template, as JSON on standard input, as Zabbix does before it imports one: its elements, the expressions of
 * its triggers and its Prometheus patterns. Prints what Zabbix refuses. The argument is the folder of Zabbix's pages.
 */
$root = $argv[1];
require_once "$root/include/defines.inc.php";
require_once "$root/include/func.inc.php";
$files = [];
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator("$root/include/classes")) as $file)
  $files[$file->getBasename('.php')] = $file->getPathname();
spl_autoload_register(fn ($class) => isset($files[$class]) && require_once $files[$class]);
set_error_handler(fn ($level, $message) => throw new Exception($message));
if (!function_exists('_')) {
  function _($text) { return $text; }
}
function _s($format, ...$values) { return sprintf($format, ...$values); }

/** Calls `$check` with each value that has this key. */
function each_value($data, $key, $check) {
  foreach ($data as $name => $value) {
    if ($name === $key) $check($value);
    if (is_array($value)) each_value($value, $key, $check);
  }
}

$template = json_decode(file_get_contents('php://stdin'), true);
$macros = ['usermacros' => true, 'lldmacros' => true];
try {
  (new CXmlValidator(new CImportValidatorFactory('yaml'), 'yaml'))->setStrict(true)->validate($template, '');
} catch (Exception $error) {
  echo $error->getMessage(), "\n";
}
each_value($template, 'expression', function ($expression) use ($macros) {
  $parser = new CExpressionParser($macros);
  $validator = new CExpressionValidator($macros);
  if ($parser->parse($expression) !== CParser::PARSE_SUCCESS) echo "$expression: not an expression\n";
  elseif (!$validator->validate($parser->getResult()->getTokens())) echo "$expression: {$validator->getError()}\n";
});
each_value($template, 'preprocessing', function ($steps) use ($macros) {
  foreach ($steps as ['type' => $type, 'parameters' => $parameters]) {
    $parser = new CPrometheusPatternParser($macros);
    if (str_starts_with($type, 'PROMETHEUS') && $parser->parse($parameters[0]) !== CParser::PARSE_SUCCESS)
      echo "$parameters[0]: not a pattern\n";
  }
});
