require('./check-node');
require('./panel');
