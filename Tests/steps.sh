# shellcheck shell=bash
# Runs the steps of the script that sources this file, two at a time. See `Tests/all`.
#
#     step NAME [--swift] [--after "NAME…"] ABOUT    declares a step; the function `run_NAME` does it
#     prepare COMMAND                                what comes before the steps
#     run_steps "$@"                                 runs the steps that the arguments name, or all
#
# SwiftPM builds one thing at a time, on as many cores as it can, so only one step with --swift runs at a time.
# A step runs only if the steps that it comes after have passed. They come before it in the script.

logs=${TEST_LOGS:-.build/test-logs}
at_a_time=2
tail_lines=60

steps=() chosen=()
declare -A about=() is_swift=() after=() process=() began=() took=() result=()

step() {
    local name=$1
    shift
    is_swift[$name]="" after[$name]=""
    while [ $# -gt 1 ]; do
        case $1 in
        --swift) is_swift[$name]=yes ;;
        --after) after[$name]=$2 && shift ;;
        esac
        shift
    done
    about[$name]=$1
    steps+=("$name")
}

prepare() { preparation=("$@"); }

run_steps() {
    local name
    if [ "${1:-}" = --list ]; then
        for name in "${steps[@]}"; do printf '%-10s %s\n' "$name" "${about[$name]}"; done
        exit
    fi
    choose "$@"

    trap end_all EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    SECONDS=0
    "${preparation[@]}"
    mkdir -p "$logs"
    echo "each step writes to $logs/STEP.log"
    # A process group for each step, so that all of it can be ended.
    set -m
    while :; do
        start_some
        [ ${#process[@]} -gt 0 ] || break
        sleep 0.1
        for name in "${!process[@]}"; do
            if ! kill -0 "${process[$name]}" 2>/dev/null; then finish "$name"; fi
        done
    done
    summarize
    # So that bash doesn't read on, should the script have changed meanwhile.
    exit
}

# The steps that the arguments name and those that they come after, or all steps.
choose() {
    local name other index
    local -A wanted=()
    for name in "$@"; do
        if [ -z "$name" ] || [ -z "${about[$name]:-}" ]; then
            echo "${0##*/}: there is no step '$name'; the steps are: ${steps[*]}" >&2
            exit 64
        fi
        wanted[$name]=yes
    done
    [ $# -gt 0 ] || for name in "${steps[@]}"; do wanted[$name]=yes; done
    for ((index = ${#steps[@]} - 1; index >= 0; index--)); do
        name=${steps[index]}
        [ -n "${wanted[$name]:-}" ] || continue
        chosen=("$name" "${chosen[@]}")
        for other in ${after[$name]}; do wanted[$other]=yes; done
    done
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
        trap - EXIT INT TERM
        set -euo pipefail
        "run_$1"
    ) >"$logs/$1.log" 2>&1 </dev/null &
    process[$1]=$!
}

finish() {
    local status=0
    wait "${process[$1]}" || status=$?
    unset "process[$1]"
    took[$1]=$((SECONDS - began[$1]))
    if [ $status -eq 0 ]; then
        result[$1]=passed
        printf '%-10s passed %7s  %s\n' "$1" "$(clock "${took[$1]}")" "$(counted "$logs/$1.log")"
    else
        result[$1]="failed with status $status: $logs/$1.log"
        printf '%-10s FAILED %7s  with status %s; the end of %s:\n' "$1" "$(clock "${took[$1]}")" $status "$logs/$1.log"
        tail -n $tail_lines "$logs/$1.log" | sed 's/^/    /'
    fi
}

clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# How a test runner closes: `12 passed in 3.45s`, `Test run with 12 tests passed`, `# pass 12`.
counted() {
    sed -nE 's/^[^[:alnum:]#]*(([0-9]+ (passed|failed|skipped).*in [0-9.]+s|Test run with .* passed|# pass [0-9]+).*)/\1/p' \
        "$1" | tr -d '=' | paste -s -d ';'
}

summarize() {
    local name passed=0 failed=0 skipped=0
    printf '\nthe longest first:\n'
    for name in "${chosen[@]}"; do
        printf '%7s  %-10s %s\n' "$(clock "${took[$name]}")" "$name" "${result[$name]}"
    done | sort -t : -k 1,1nr -k 2,2nr
    for name in "${chosen[@]}"; do
        case ${result[$name]} in
        passed) passed=$((passed + 1)) ;;
        failed*) failed=$((failed + 1)) ;;
        *) skipped=$((skipped + 1)) ;;
        esac
    done
    printf '%7s  in all\n\n%d passed, %d failed, %d skipped\n' "$(clock $SECONDS)" $passed $failed $skipped
    [ $passed -eq ${#chosen[@]} ]
}

end_all() {
    local name
    for name in "${!process[@]}"; do kill -TERM -- "-${process[$name]}" 2>/dev/null || true; done
}
