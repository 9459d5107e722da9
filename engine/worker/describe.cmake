# What `describe` reports. Apart from the measuring code, because hwloc and zlib are optional here: without hwloc the
# topology is empty, without zlib /proc/config.gz stays unread, and engine/machine makes do with the files.
add_library(switchscope_describe STATIC
  ${CMAKE_CURRENT_LIST_DIR}/describe.cpp
  ${CMAKE_CURRENT_LIST_DIR}/sysroot.cpp
  ${CMAKE_CURRENT_LIST_DIR}/facts_files.cpp
  ${CMAKE_CURRENT_LIST_DIR}/facts_calls.cpp
  ${CMAKE_CURRENT_LIST_DIR}/topology_xml.cpp)
switchscope_target(switchscope_describe)

if(NOT CMAKE_CROSSCOMPILING)
  find_library(SWITCHSCOPE_HWLOC_STATIC NAMES libhwloc.a)
  find_path(SWITCHSCOPE_HWLOC_INCLUDE NAMES hwloc.h)
  find_library(SWITCHSCOPE_ZLIB_STATIC NAMES libz.a)
  find_path(SWITCHSCOPE_ZLIB_INCLUDE NAMES zlib.h)
endif()
if(SWITCHSCOPE_HWLOC_STATIC AND SWITCHSCOPE_HWLOC_INCLUDE)
  add_library(switchscope_udev_absent STATIC ${CMAKE_CURRENT_LIST_DIR}/udev_absent.cpp)
  switchscope_target(switchscope_udev_absent)
  target_compile_definitions(switchscope_describe PRIVATE SWITCHSCOPE_HAVE_HWLOC)
  target_include_directories(switchscope_describe SYSTEM PRIVATE ${SWITCHSCOPE_HWLOC_INCLUDE})
  target_link_libraries(switchscope_describe PRIVATE ${SWITCHSCOPE_HWLOC_STATIC} switchscope_udev_absent m)
else()
  message(STATUS "The worker is built without hwloc: its topology comes from /sys alone")
endif()
if(SWITCHSCOPE_ZLIB_STATIC AND SWITCHSCOPE_ZLIB_INCLUDE)
  target_compile_definitions(switchscope_describe PRIVATE SWITCHSCOPE_HAVE_ZLIB)
  target_include_directories(switchscope_describe SYSTEM PRIVATE ${SWITCHSCOPE_ZLIB_INCLUDE})
  target_link_libraries(switchscope_describe PRIVATE ${SWITCHSCOPE_ZLIB_STATIC})
else()
  message(STATUS "The worker is built without zlib: /proc/config.gz stays unread")
endif()
