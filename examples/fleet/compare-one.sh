#!/bin/sh
# Compares one input and saves what was found as REPORTS/NAME.json. xargs and GNU parallel start this for each input.
#
#   compare-one.sh REFERENCE REPORTS INPUT
#
# An exit status up to 2 is an answer: it is in the saved report, and the report on all tells it. This script then ends with 0, so
# that whatever starts it goes on. An input that leaves no report is missing from the list that makes the report on all.
reference=$1 reports=$2 input=$3
saved=$reports/${input##*/}.json

rm -f "$saved" # an earlier answer must not stand for one that does not come
status=0
validationTool --quiet --limit memory=1GiB -o "json=$saved" -- "$reference" "$input" || status=$?
[ -e "$saved" ] || echo "$input: no report, exit status $status" >&2
[ "$status" -le 2 ]
