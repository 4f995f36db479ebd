# find_package(actforge CONFIG) gives actforge::core, the library, with the headers under <actforge/...>.
include(CMakePackageConfigHelpers)

install(TARGETS actforge_core EXPORT actforge-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS actforge RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(ACTFORGE_LIBTORCH)
  install(TARGETS actforge-torch RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# The headers that a user calls; the others are how it is done.
set(ACTFORGE_PUBLIC_HEADERS
    base/atomic_file.h base/error.h base/hash.h base/hash_index.h base/number_text.h base/option_field.h base/parallel.h base/random.h base/read_file.h base/statistics.h base/suggest.h
    expr/breakpoints.h expr/export.h expr/expr.h expr/graph.h expr/kernel.h expr/kernel_speed.h expr/moments.h expr/op.h expr/parse.h expr/print.h
    expr/properties.h expr/reference.h
    space/builtin_spaces.h space/count.h space/find_space.h space/fingerprint.h space/integer.h space/offspring.h space/schema.h
    space/space.h space/space_file.h space/tree.h space/unique.h
    net/attribute.h net/find_network.h net/layer_kind.h net/network.h net/network_json.h net/network_text.h net/shape.h
    net/tensor_file.h net/zoo.h
    init/initialiser.h init/layer_map.h init/map_rules.h init/signal_analysis.h init/signal_moments.h init/weight_distribution.h
    init/weight_plan.h
    data/batch.h data/batch_loader.h data/batch_maker.h data/dataset.h data/image_set.h data/normalisation.h data/prefetcher.h
    data/split.h
    fisher/fisher_options.h fisher/spectrum.h
    store/store.h store/study_features.h store/study_run.h store/trial.h
    surrogate/acquisition.h surrogate/combine_graphs.h surrogate/distances.h surrogate/fuzzy_graph.h surrogate/gaussian_process.h
    surrogate/hnsw_index.h surrogate/layout.h surrogate/membership_curve.h surrogate/metric.h surrogate/neighbours.h
    surrogate/points.h surrogate/quality.h surrogate/regressor.h surrogate/spectral_layout.h surrogate/transform.h surrogate/umap.h
    search/comparison.h search/evaluator.h search/pareto.h search/ranking.h search/stage.h search/stage_runner.h search/strategy.h search/strategy_options.h search/study.h search/study_file.h
    search/study_settings.h search/trial_log.h search/worker.h
    report/contact_sheet.h report/graph_picture.h report/line_plot.h report/png.h report/study_page.h report/terminal_plot.h)
foreach(header ${ACTFORGE_PUBLIC_HEADERS})
  get_filename_component(part ${header} DIRECTORY)
  install(FILES src/actforge/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/actforge/${part})
endforeach()
install(EXPORT actforge-targets NAMESPACE actforge::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/actforge)

configure_package_config_file(cmake/actforge-config.cmake.in actforge-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/actforge)
write_basic_package_version_file(actforge-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/find_svm.cmake ${PROJECT_BINARY_DIR}/actforge-config.cmake ${PROJECT_BINARY_DIR}/actforge-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/actforge)
