/** Turns an order into the bash command that runs a hook without its host: ends it in time, keeps what it prints, and notes how it ended. */
import { BASH_OPTIONS } from "./command-line.ts";
import type { CommandLine, ProcessOrder } from "./order.ts";

/** The files in the directory of a left run. */
export const LEFT_FILES = {
  /** What the host knew when it started the run, as JSON. */
  order: "order.json",
  /** The process id of the watcher. */
  watcher: "watcher",
  /** One line, written last: fate, exit code, process id, whether something escaped. Complete when it ends with a newline. */
  end: "end",
  stdout: "stdout",
  stderr: "stderr",
  /** Beside stdout and stderr: how many bytes came after those that were kept, but for the one block in which the limit was met. */
  rest: ".rest",
} as const;

/**
 * Every job is a process group of its own (`set -m`), so the hook's can be ended without the watcher. The hook writes into pipes that the
 * watcher's readers hold, so it can neither be killed by a write nor fill the disk. Written for bash 3.2 as on macOS: no `wait -n`, no clock.
 * The readers are `cat` under a limit on its file (in KiB, a little above the cap, so that reaching it shows): `head -c` would still hold back
 * what it has read when it is ended. Where there is a /proc, a member of the group counts as alive only if it is: a signal reaches the dead as
 * well, and the first process of many containers never collects orphans. The readers are given up only when they sleep although nothing of the
 * group lives: then somebody else holds the pipes, and not a busy machine.
 * A timer is a job that signals the watcher, whose `wait` returns then; its own output, such as notices of killed jobs, goes nowhere.
 */
const SCRIPT = `
set -m
carabiner_dir=$1 carabiner_limit=$2 carabiner_grace=$3 carabiner_drain=$4 carabiner_out_max=$5 carabiner_err_max=$6
shift 6
carabiner_path=$PATH
PATH=$PATH:/usr/bin:/bin
echo $$ >"$carabiner_dir/${LEFT_FILES.watcher}"

carabiner_wait() { sleep "$1" || sleep "$(( \${1%.*} + 1 ))"; }
carabiner_keep() { { (trap '' XFSZ; ulimit -f "$2"; exec cat) >"$carabiner_dir/$1"; wc -c >"$carabiner_dir/$1${LEFT_FILES.rest}"; } <"$carabiner_dir/$1.pipe"; }
carabiner_reading() { kill -0 "$carabiner_out" || kill -0 "$carabiner_err"; }
carabiner_look() {
  IFS= read -r -d '' carabiner_stat <"$1"
  set -- \${carabiner_stat##*) }
  carabiner_state=$1 carabiner_group=$3
}
carabiner_is_member() {
  carabiner_look "$1"
  [ "$carabiner_group" = "$carabiner_hook" ] && [ "$carabiner_state" != Z ] && [ "$carabiner_state" != X ]
}
carabiner_lives() {
  kill -0 -- "-$carabiner_hook" || return
  [ -r /proc/self/stat ] || return 0
  carabiner_is_member "$carabiner_member" && return
  for carabiner_member in /proc/[0-9]*/stat; do carabiner_is_member "$carabiner_member" && return; done
  return 1
}
carabiner_stuck() {
  [ -r /proc/self/stat ] && ! carabiner_lives || return
  for carabiner_file in /proc/[0-9]*/stat; do
    carabiner_look "$carabiner_file"
    [ "$carabiner_group" = "$carabiner_out" ] || [ "$carabiner_group" = "$carabiner_err" ] || continue
    case $carabiner_state in [SZX]) ;; *) return 1 ;; esac
  done
}
carabiner_stop() {
  [ -z "$carabiner_fate" ] || return
  carabiner_fate=$1
  kill -TERM -- "-$carabiner_hook"
  (carabiner_wait "$carabiner_grace"; kill -KILL -- "-$carabiner_hook") & carabiner_killer=$!
}

carabiner_fate= carabiner_member= carabiner_killer= carabiner_drained= carabiner_drainer= carabiner_escaped=0
mkfifo -m 600 "$carabiner_dir/${LEFT_FILES.stdout}.pipe" "$carabiner_dir/${LEFT_FILES.stderr}.pipe"
carabiner_keep ${LEFT_FILES.stdout} "$carabiner_out_max" & carabiner_out=$!
carabiner_keep ${LEFT_FILES.stderr} "$carabiner_err_max" & carabiner_err=$!
(PATH=$carabiner_path; exec "$@") <&0 >"$carabiner_dir/${LEFT_FILES.stdout}.pipe" 2>"$carabiner_dir/${LEFT_FILES.stderr}.pipe" & carabiner_hook=$!
exec </dev/null
trap 'carabiner_stop timedOut' USR1
trap 'carabiner_stop cancelled' TERM
trap 'carabiner_drained=1' USR2
(carabiner_wait "$carabiner_limit"; kill -USR1 $$) & carabiner_timer=$!

while :; do
  wait "$carabiner_hook"
  carabiner_code=$?
  kill -0 "$carabiner_hook" || break
done
if [ -n "$carabiner_fate" ]; then
  while carabiner_lives && kill -0 "$carabiner_killer"; do sleep 0.02; done
elif carabiner_reading; then
  (carabiner_wait "$carabiner_drain"; kill -USR2 $$) & carabiner_drainer=$!
  while [ -z "$carabiner_drained" ] && carabiner_reading; do wait "$carabiner_out" "$carabiner_err"; done
fi
carabiner_fate=\${carabiner_fate:-exited}
kill -KILL -- "-$carabiner_hook" "-$carabiner_timer"
[ -z "$carabiner_killer" ] || kill -KILL -- "-$carabiner_killer"
[ -z "$carabiner_drainer" ] || kill -KILL -- "-$carabiner_drainer"
carabiner_tries=50 carabiner_looks=0
while carabiner_reading && [ "$carabiner_tries" -gt 0 ] && [ "$carabiner_looks" -lt 2 ]; do
  sleep 0.02
  carabiner_tries=$((carabiner_tries - 1))
  if carabiner_stuck; then carabiner_looks=$((carabiner_looks + 1)); else carabiner_looks=0; fi
done
if carabiner_reading; then
  carabiner_escaped=1
  kill -KILL -- "-$carabiner_out" "-$carabiner_err"
fi
echo "$carabiner_fate $carabiner_code $carabiner_hook $carabiner_escaped" >"$carabiner_dir/${LEFT_FILES.end}"
`;

/** The watcher of `order`, with `dir` (absolute, private to this run) for its files. Its stdin becomes that of the hook. */
export function watcherLine(order: ProcessOrder, dir: string): CommandLine {
  const numbers = [
    seconds(order.timeoutMs),
    seconds(order.killGraceMs),
    seconds(order.drainMs),
    kibibytesAbove(order.maxStdoutBytes),
    kibibytesAbove(order.maxStderrBytes),
  ];
  const args = [...BASH_OPTIONS, SCRIPT, "carabiner", dir, ...numbers, order.line.file, ...order.line.args];
  return { file: "bash", args, shown: order.line.shown };
}

function seconds(ms: number): string {
  return (Math.max(0, ms) / 1000).toFixed(3);
}

function kibibytesAbove(bytes: number): string {
  return String(Math.floor(bytes / 1024) + 1);
}
