package org.terrace.nodes.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The places of this machine where groups with a limit may be made: the mounts of {@code
 * /proc/self/mountinfo} joined with this process's own groups of {@code /proc/self/cgroup}.
 * Stateless.
 */
final class CpuControllers {
  private static final String CPU = "cpu";
  private static final int MOUNT_ROOT = 3;
  private static final int MOUNT_POINT = 4;
  private static final int MINIMUM_FIELDS = 10;

  private CpuControllers() {}

  /** A mounted hierarchy. */
  private record Mount(String root, Path point, String type, List<String> options) {}

  /**
   * A group under which groups may be made that a controller limits. Immutable.
   *
   * @param isOfVersion2 whether it is of the one hierarchy of version 2
   */
  record Place(Path group, boolean isOfVersion2) {}

  /** The places for limits of processor time, best first. */
  static List<CpuController> candidates(Path self) throws IOException {
    return places(self, CPU).stream()
        .<CpuController>map(place ->
            place.isOfVersion2()
                ? new CpuController.Version2(place.group())
                : new CpuController.Version1(place.group()))
        .toList();
  }

  /**
   * The places to try for a controller, best first. A v1 hierarchy with the controller has it
   * alone: then v2 has none. In v2 a group with processes cannot limit its children, so the groups
   * above this process are candidates too.
   *
   * @param self the folder of this process in procfs
   */
  static List<Place> places(Path self, String controller) throws IOException {
    List<Place> found = new ArrayList<>();
    for (Mount mount : mounts(self.resolve("mountinfo"))) {
      if (mount.type().equals("cgroup") && mount.options().contains(controller)) {
        found.add(new Place(ownGroup(mount, ownPath(self, controller)), false));
      } else if (mount.type().equals("cgroup2")) {
        Path own = ownGroup(mount, ownPath(self, ""));
        for (Path group = own; group.startsWith(mount.point()); group = parent(group)) {
          if (KernelFile.words(group.resolve("cgroup.controllers")).contains(controller)) {
            found.add(new Place(group, true));
          }
        }
      }
    }
    return found;
  }

  /**
   * The groups that may limit the processor time of a process: its own and all above it that the
   * mounts show, in each hierarchy.
   *
   * @param self the folder of the process in procfs
   */
  static List<Place> groups(Path self) throws IOException {
    List<Place> found = new ArrayList<>();
    for (Mount mount : mounts(self.resolve("mountinfo"))) {
      boolean isOfVersion2 = mount.type().equals("cgroup2");
      if (isOfVersion2 || (mount.type().equals("cgroup") && mount.options().contains(CPU))) {
        Path own = ownGroup(mount, ownPath(self, isOfVersion2 ? "" : CPU));
        for (Path group = own; group.startsWith(mount.point()); group = parent(group)) {
          found.add(new Place(group, isOfVersion2));
        }
      }
    }
    return found;
  }

  private static Path parent(Path group) {
    Path parent = group.getParent();
    return parent == null ? Path.of("") : parent;
  }

  private static List<Mount> mounts(Path file) throws IOException {
    List<Mount> mounts = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      List<String> fields = List.of(line.split(" ", -1));
      int separator = fields.indexOf("-");
      if (fields.size() >= MINIMUM_FIELDS && separator > 0 && separator + 3 < fields.size()) {
        mounts.add(
            new Mount(
                fields.get(MOUNT_ROOT),
                Path.of(fields.get(MOUNT_POINT)),
                fields.get(separator + 1),
                List.of(fields.get(separator + 3).split(",", -1))));
      }
    }
    return mounts;
  }

  /** This process's path in the hierarchy with a controller; the empty name is that of v2. */
  private static String ownPath(Path self, String controller) throws IOException {
    for (String line : Files.readAllLines(self.resolve("cgroup"))) {
      String[] fields = line.split(":", 3);
      boolean matches =
          controller.isEmpty()
              ? fields[1].isEmpty()
              : List.of(fields[1].split(",", -1)).contains(controller);
      if (matches) {
        return fields[2];
      }
    }
    return "/";
  }

  /** The folder of a path; in a container the mount may show only a part of the hierarchy. */
  private static Path ownGroup(Mount mount, String path) {
    String shown =
        path.equals(mount.root()) || path.startsWith(mount.root() + "/")
            ? path.substring(mount.root().length())
            : path;
    Path group = mount.point().resolve(shown.replaceFirst("^/+", "")).normalize();
    return group.startsWith(mount.point()) && Files.isDirectory(group) ? group : mount.point();
  }
}
