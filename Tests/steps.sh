# shellcheck shell=bash
# Runs the steps of the script that sources this file, two at a time: more of them keep each other from the caches of two cores. See
# `Tests/all`.
#
#     step NAME [OPTION…] SHORT [LONG]    declares a step; the function `run_NAME` does it
#     run_steps "$@"                      runs the steps that the arguments name, or all
#
# SHORT is what the step covers, and LONG what its long form covers, if it has one. A step whose SHORT is empty has only a long
# form. `run_NAME` takes the long form if `is_long` says so; then LONG_TESTS is 1 in its environment, and empty otherwise.
#
#     --swift            builds with SwiftPM, on as many cores as it can: only one such step runs at a time
#     --after "NAME…"    runs only if these steps have passed; they come before it in the script
#     --touches "PATH…"  what the long form is about: it also runs if one of these files or folders has been changed since
#                        the branch left main

logs=${TEST_LOGS:-.build-logs}
at_a_time=2
tail_lines=60

steps=() chosen=() all_long=""
declare -A short=() long=() is_swift=() after=() touches=() form=() process=() began=() took=() result=()

step() {
    local name=$1
    shift
    is_swift[$name]="" after[$name]="" touches[$name]=""
    while [[ $1 == --* ]]; do
        case $1 in
        --swift) is_swift[$name]=yes ;;
        --after) after[$name]=$2 && shift ;;
        --touches) touches[$name]=$2 && shift ;;
        esac
        shift
    done
    short[$name]=$1 long[$name]=${2:-}
    steps+=("$name")
}

# Shows each line that a step prints at once, and writes it to the log. Opened again, as `tee` does it, a file would be emptied.
show() {
    local line
    while IFS= read -r line; do
        echo "$line"
        echo "$line" >&3
    done
}

is_long() { [ -n "${LONG_TESTS:-}" ]; }

# built [OPTION…]: the folder into which SwiftPM builds with these options, whichever its build system.
built() { swift build "$@" --show-bin-path; }

# Whether SwiftPM uses Swift Build, which is its default from Swift 6.4 on.
is_swift_build() { [ "$(built)" != "$(built --build-system native)" ]; }

# run_tests FOLDER [OPTION…]: the tests that are built in a folder, with options of Swift Testing. They don't run through SwiftPM, which
# lets only one step at a time use a folder. SwiftPM's own build system makes one program of all tests, and Swift Build one per target.
run_tests() {
    local folder=$1 program status failed=0 ran=0
    shift
    for program in "$folder"/*PackageTests.xctest "$folder"/*-test-runner; do
        [ -x "$program" ] || continue
        status=0
        "$program" --testing-library swift-testing "$@" || status=$?
        case $status in
        0) ran=1 ;;
        69) ;; # The options choose no test of this program.
        *) failed=$status ;;
        esac
    done
    if [ $ran$failed = 00 ]; then echo "no test of $folder has run: $*" >&2 && return 69; fi
    return "$failed"
}

# Whatever builds or runs something with `swift`, also in the tests, uses this build system.
use_build_system() {
    local swift
    swift=$(command -v swift)
    mkdir -p "$logs/bin"
    cat >"$logs/bin/swift" <<SH
#!/bin/sh
# Swift Build looks for the toolchain by this path.
export PATH='$PATH'
case \$1 in
build | run | test) command=\$1 && shift && exec "$swift" "\$command" --build-system "$1" "\$@" ;;
*) exec "$swift" "\$@" ;;
esac
SH
    chmod +x "$logs/bin/swift"
    PATH=$(cd "$logs/bin" && pwd):$PATH
}

run_steps() {
    local name ended status names=()
    while [ $# -gt 0 ]; do
        case $1 in
        --list) list && exit ;;
        --long) all_long=yes ;;
        --build-system)
            if [ -z "${2:-}" ]; then echo "${0##*/}: --build-system needs a name: native or swiftbuild" >&2 && exit 64; fi
            use_build_system "$2" && shift
            ;;
        *) names+=("$1") ;;
        esac
        shift
    done
    choose "${names[@]}"

    trap end_all EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    SECONDS=0
    mkdir -p "$logs"
    rm -f "$logs"/*.times
    echo "each step writes to $logs/STEP.log"
    # For `show`.
    exec 3>&1
    # A process group for each step, so that all of it can be ended.
    set -m
    while :; do
        start_some
        [ ${#process[@]} -gt 0 ] || break
        status=0
        wait -n -p ended "${process[@]}" || status=$?
        for name in "${!process[@]}"; do
            if [ "${process[$name]}" = "$ended" ]; then finish "$name" $status; fi
        done
    done
    summarize
    # So that bash doesn't read on, should the script have changed meanwhile.
    exit
}

list() {
    local name
    for name in "${steps[@]}"; do
        printf '%-12s %s\n' "$name" "${short[$name]:-(only with --long) ${long[$name]}}"
        [ -z "${short[$name]}" ] || [ -z "${long[$name]}" ] || printf '%-12s %s\n' "    --long" "${long[$name]}"
    done
}

# The steps that the arguments name and those that they come after, or all steps. A step that is named, and one that another step
# needs, runs also if it has only a long form.
choose() {
    local name other index changed
    local -A wanted=()
    for name in "$@"; do
        if [ -z "$name" ] || [ -z "${is_swift[$name]+declared}" ]; then
            echo "${0##*/}: there is no step '$name'; the steps are: ${steps[*]}" >&2
            exit 64
        fi
        wanted[$name]=yes
    done
    changed=$(changed_files)
    for name in "${steps[@]}"; do
        form[$name]=""
        if [ -n "$all_long" ] || touched "$name" "$changed"; then form[$name]=${long[$name]:+long}; fi
        if [ $# -eq 0 ] && [ -n "${short[$name]}${form[$name]}" ]; then wanted[$name]=yes; fi
        [ -n "${short[$name]}" ] || form[$name]=long
    done
    for ((index = ${#steps[@]} - 1; index >= 0; index--)); do
        name=${steps[index]}
        [ -n "${wanted[$name]:-}" ] || continue
        chosen=("$name" "${chosen[@]}")
        for other in ${after[$name]}; do wanted[$other]=yes; done
    done
}

# The files that differ from the commit at which the branch left main, with those that aren't committed.
changed_files() {
    local main base=""
    for main in origin/main main; do
        base=$(git merge-base HEAD "$main" 2>/dev/null) && break
    done
    [ -n "$base" ] || return 0
    git diff --name-only "$base"
    git ls-files --others --exclude-standard
}

# Whether one of the files is what the step's long form is about.
touched() {
    local path file
    for path in ${touches[$1]}; do
        while read -r file; do
            [[ $file != "$path" && $file != "$path"/* ]] || return 0
        done <<<"$2"
    done
    return 1
}

start_some() {
    local name
    for name in "${chosen[@]}"; do
        [ ${#process[@]} -lt $at_a_time ] || break
        if may_start "$name"; then start "$name"; fi
    done
}

may_start() {
    local other
    [ -z "${result[$1]:-}${process[$1]:-}" ] || return 1
    for other in ${after[$1]}; do
        case ${result[$other]:-} in
        passed) ;;
        "") return 1 ;;
        *)
            result[$1]="not run, since $other has not passed"
            took[$1]=0
            return 1
            ;;
        esac
    done
    [ -n "${is_swift[$1]}" ] || return 0
    for other in "${!process[@]}"; do
        [ -z "${is_swift[$other]}" ] || return 1
    done
}

start() {
    began[$1]=$SECONDS
    (
        trap - INT TERM
        step_times=$logs/$1.times
        trap 'times >"$step_times"' EXIT
        set -euo pipefail
        export LONG_TESTS=${form[$1]:+1}
        "run_$1"
    ) >"$logs/$1.log" 2>&1 </dev/null &
    process[$1]=$!
}

finish() {
    local status=$2
    unset "process[$1]"
    took[$1]=$((SECONDS - began[$1]))
    if [ "$status" -eq 0 ]; then
        result[$1]=passed
        printf '%-12s passed %7s  %s\n' "$1" "$(clock "${took[$1]}")" "$(counted "$logs/$1.log")"
    else
        result[$1]="failed with status $status: $logs/$1.log"
        printf '%-12s FAILED %7s  with status %s; the end of %s:\n' "$1" "$(clock "${took[$1]}")" "$status" "$logs/$1.log"
        tail -n $tail_lines "$logs/$1.log" | sed 's/^/    /'
    fi
}

clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# The seconds for which the processors worked on a step, which other work beside it hardly changes.
worked() {
    sed -nE '2s/([0-9]+)m([0-9]+)[^ ]* ([0-9]+)m([0-9]+).*/\1 * 60 + \2 + \3 * 60 + \4/p' "$logs/$1.times" 2>/dev/null
}

# How a test runner closes: `12 passed in 3.45s`, `Test run with 12 tests passed`, `# pass 12`.
counted() {
    sed -nE '/Test run with 0 tests/d; s/^[^[:alnum:]#]*(([0-9]+ (passed|failed|skipped).*in [0-9.]+s|Test run with .* passed|# pass [0-9]+).*)/\1/p' \
        "$1" | tr -d '=' | paste -s -d ';'
}

# The tests that have failed, by their runners, or else the last lines. The end of a long output may be all that somebody sees of it.
failures() {
    local found
    found=$(grep -E '^(FAILED|ERROR) |^not ok |^✘ Test .* recorded an issue|(^|: )error: ' "$1" | cut -c 1-400 | head -n 20)
    if [ -n "$found" ]; then echo "$found"; else tail -n 20 "$1"; fi
}

summarize() {
    local name passed=0 failed=0 skipped=0
    printf '\nthe longest first, elapsed and on the processors:\n'
    for name in "${chosen[@]}"; do
        printf '%7s %7s  %-12s %s\n' "$(clock "${took[$name]}")" "$(clock $(($(worked "$name"))))" \
            "$name" "${result[$name]}${form[$name]:+, in its long form}"
    done | sort -t : -k 1,1nr -k 2,2nr
    for name in "${chosen[@]}"; do
        case ${result[$name]} in
        passed) passed=$((passed + 1)) ;;
        failed*) failed=$((failed + 1)) ;;
        *) skipped=$((skipped + 1)) ;;
        esac
    done
    for name in "${chosen[@]}"; do
        [[ ${result[$name]} != failed* ]] || printf '\n%s failed:\n%s\n' "$name" "$(failures "$logs/$name.log")"
    done
    printf '%7s  in all\n\n%d passed, %d failed, %d skipped\n' "$(clock $SECONDS)" $passed $failed $skipped
    [ $passed -eq ${#chosen[@]} ]
}

end_all() {
    local group
    # Not those in `process`: a step may have begun that isn't in it yet.
    for group in $(jobs -p); do kill -TERM -- "-$group" 2>/dev/null || true; done
}
