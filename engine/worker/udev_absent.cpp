// hwloc asks udev for the names of devices. Debian has no static libudev, and the worker filters devices out, so these
// five functions say "no udev", which hwloc takes for an answer. Linking a shared libudev would end the static worker.

// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

struct udev;
struct udev_device;

udev* udev_new();
udev* udev_unref(udev*);
udev_device* udev_device_new_from_subsystem_sysname(udev*, const char* subsystem, const char* sysname);
const char* udev_device_get_property_value(udev_device*, const char* key);
udev_device* udev_device_unref(udev_device*);

udev* udev_new() {
  return nullptr;
}
udev* udev_unref(udev*) {
  return nullptr;
}
udev_device* udev_device_new_from_subsystem_sysname(udev*, const char*, const char*) {
  return nullptr;
}
const char* udev_device_get_property_value(udev_device*, const char*) {
  return nullptr;
}
udev_device* udev_device_unref(udev_device*) {
  return nullptr;
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
