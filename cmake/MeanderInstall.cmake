# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
include(CMakePackageConfigHelpers)

install(TARGETS meander EXPORT MeanderTargets)
install(DIRECTORY include/meander TYPE INCLUDE)
install(DIRECTORY presets DESTINATION ${CMAKE_INSTALL_DATADIR}/meander)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Meander)
install(EXPORT MeanderTargets NAMESPACE Meander:: DESTINATION ${config_dir})
configure_package_config_file(cmake/MeanderConfig.cmake.in generated/MeanderConfig.cmake
  INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(generated/MeanderConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/MeanderConfig.cmake
  ${PROJECT_BINARY_DIR}/generated/MeanderConfigVersion.cmake DESTINATION ${config_dir})
