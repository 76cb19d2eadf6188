# What the search of each target looks at: only in these files does an edge count.
# Any bytes may come by any reader, and a search that counted all edges would
# wander off into the inputs of other targets. Each file that reads stands in a
# scope, and each of the rules.
scope_stacks := stacks stack_reader stack_quick stack_header predict familiar \
                familiar_mould familiar_avx2 familiar_plain go_text \
                header_tails race size_limit id_set omission
scope_crash := crash crash_text test_code
scope_count_profile := count_profile address_text
scope_measured := measured_text heap_text contention_text value_types ahead
scope_protobuf := protobuf protobuf_frames protobuf_snapshot
scope_read := formats exported
scope_threads := stacks_split stacks id_set

$(foreach t,stacks crash count_profile measured protobuf read threads,\
    $(eval scope_$t := $(scope_$t:%=src/format/%.c)))
scope_protobuf += $(filter-out %/writer.c,$(wildcard src/pprof/*.c))
scope_read += $(wildcard src/read/*.c src/input/*.c)
scope_unwrap := $(wildcard src/unwrap/*.c)
scope_strained := $(scope_stacks) $(scope_crash) $(scope_count_profile) \
                  $(scope_measured) $(scope_protobuf) $(scope_read) \
                  $(scope_unwrap)
scope_answer := $(wildcard $(addsuffix /*.c,$(addprefix src/,analysis report \
    export))) src/pprof/writer.c $(patsubst %,src/rules/%.c,bound bounds \
    bucket calls correlate explain figures findings growth_level held judge level \
    nearest)
scope_changes := $(scope_answer)
scope_threads += src/model/merging.c
scope_baseline := src/rules/baseline.c src/rules/baseline_text.c
scope_rules := $(filter-out $(scope_answer) $(scope_baseline),\
    $(wildcard src/rules/*.c))
scope_store := $(patsubst %,src/store/%.c,blob counts crash_blob decode \
    evidence_read evidence_write instances measures names_in names_out)
scope_targets := src/fetch/address.c src/fetch/targets.c

in_no_scope := $(filter-out $(foreach t,$(targets),$(scope_$t)), \
    $(wildcard $(addsuffix /*.c,$(addprefix src/,format input pprof read \
    rules unwrap))))
$(if $(in_no_scope),$(error tests/fuzz/scopes.mk lacks $(in_no_scope)))
