-- Sends the requests of a file in turn, over a thread for each port, and prints the result as JSON. Each line of the
-- file is a token and a path.
local ports = {}
for port in os.getenv("PORTS"):gmatch("%d+") do ports[#ports + 1] = port end

local threads = 0
function setup(thread)
  threads = threads + 1
  thread.addr = wrk.lookup("127.0.0.1", ports[threads])[1]
end

local requests = {}
function init()
  for line in io.lines(os.getenv("REQUESTS")) do
    local token, path = line:match("(%S+) (%S+)")
    local headers = { Authorization = "Bearer " .. token, Accept = "application/json" }
    requests[#requests + 1] = wrk.format("GET", path, headers)
  end
end

local last = 0
function request()
  last = last % #requests + 1
  return requests[last]
end

function done(summary, latency)
  local errors = summary.errors
  local broken = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    '\n{"seconds":%.6f,"requests":%d,"refused":%d,"broken":%d,"p50":%.3f,"p99":%.3f,"cpuMs":%.3f}\n',
    summary.duration / 1e6, summary.requests, errors.status, broken,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, os.clock() * 1e3
  ))
end
