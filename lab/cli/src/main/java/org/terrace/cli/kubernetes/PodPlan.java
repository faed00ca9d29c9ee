package org.terrace.cli.kubernetes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The pod of a server: its one container, what it is told, reads and keeps. Confined to one thread.
 */
final class PodPlan {
  /** The user of Terrace's image, and of programs of the user's own. */
  static final int USER = 10_001;

  /** The user of the images of PostgreSQL and MariaDB. */
  static final int DATABASE_USER = 999;

  private static final String SECRETS = "/etc/terrace/";
  private static final String SECRET_KEY = "secret";

  /** In octal 0440: the pod's group reads it, since root owns it. */
  private static final int SECRET_MODE = 288;

  /** Read and executed by all. */
  private static final int EXECUTABLE_MODE = 365;

  private final String image;
  private final int user;
  private final List<Object> command;
  private final List<Object> arguments;
  private final List<Object> environment = Trees.list();
  private final List<Object> volumes = Trees.list();
  private final List<Object> mounts = Trees.list();
  private final List<Object> claims = Trees.list();
  private final List<Object> before = Trees.list();
  private Map<String, Object> check = Trees.map();
  private Duration readyWithin = Duration.ofSeconds(60);
  private Optional<String> directory = Optional.empty();

  PodPlan(String image, int user, List<String> command, List<String> arguments) {
    this.image = image;
    this.user = user;
    this.command = new ArrayList<>(command);
    this.arguments = new ArrayList<>(arguments);
    scratch("tmp", "/tmp");
  }

  /** A folder that a pod begins with empty, and may write to. */
  PodPlan scratch(String name, String path) {
    Map<String, Object> volume = Trees.map("name", name);
    volume.putAll(Trees.key("emptyDir"));
    volumes.add(volume);
    mounts.add(Trees.map("name", name, "mountPath", path));
    return this;
  }

  /** A folder that outlives the pod. */
  PodPlan kept(String name, String path, String size) {
    mounts.add(Trees.map("name", name, "mountPath", path));
    claims.add(
        Trees.map(
            "metadata",
            Trees.map("name", name),
            "spec",
            Trees.map(
                "accessModes",
                Trees.list("ReadWriteOnce"),
                "resources",
                Trees.map("requests", Trees.map("storage", size)))));
    return this;
  }

  /** The file in which a server finds a secret. */
  static String secretFile(String what) {
    return SECRETS + what + "/" + SECRET_KEY;
  }

  /** A secret as a file that the server alone reads. */
  PodPlan secret(Names names, String what) {
    volumes.add(
        Trees.map(
            "name",
            what + "-secret",
            "secret",
            Trees.map("secretName", names.secret(what), "defaultMode", SECRET_MODE)));
    mounts.add(Trees.map("name", what + "-secret", "mountPath", SECRETS + what, "readOnly", true));
    return this;
  }

  /** Files of a configuration map, at their paths below a folder in which the program starts. */
  PodPlan files(
      String map, String folder, Map<String, String> pathsByKey, Predicate<String> isExecutable) {
    List<Object> items = Trees.list();
    pathsByKey.forEach((key, path) ->
        items.add(
            isExecutable.test(path)
                ? Trees.map("key", key, "path", path, "mode", EXECUTABLE_MODE)
                : Trees.map("key", key, "path", path)));
    volumes.add(Trees.map("name", "files", "configMap", Trees.map("name", map, "items", items)));
    mounts.add(Trees.map("name", "files", "mountPath", folder, "readOnly", true));
    directory = Optional.of(folder);
    return this;
  }

  PodPlan variable(String name, String value) {
    environment.add(Trees.map("name", name, "value", value));
    return this;
  }

  /** A variable with a field of the pod. */
  PodPlan field(String name, String path) {
    return from(name, "fieldRef", Trees.map("fieldPath", path));
  }

  /** A variable with a secret. */
  PodPlan secretVariable(String name, Names names, String what) {
    return from(name, "secretKeyRef", Trees.map("name", names.secret(what), "key", SECRET_KEY));
  }

  private PodPlan from(String name, String kind, Map<String, Object> source) {
    environment.add(Trees.map("name", name, "valueFrom", Trees.map(kind, source)));
    return this;
  }

  /** The sign that the server is ready, as a probe has it, and the time within which it comes. */
  PodPlan ready(Map<String, Object> probe, Duration within) {
    check = probe;
    readyWithin = within;
    return this;
  }

  /** A container with the same image and files that has to end well before the server starts. */
  PodPlan after(String name, List<String> program) {
    before.add(
        Trees.map(
            "name",
            name,
            "image",
            image,
            "command",
            new ArrayList<Object>(program),
            "volumeMounts",
            Trees.copy(mounts),
            "securityContext",
            confined()));
    return this;
  }

  List<Object> claims() {
    return claims;
  }

  /**
   * The template of the pod.
   *
   * @param limits cpu and memory, as quantities
   * @param cores the processors it may use at the most, which is what its start may take longer by
   */
  Map<String, Object> template(
      Map<String, Object> labels, int port, Map<String, String> limits, double cores) {
    Map<String, Object> container =
        Trees.map("name", "server", "image", image, "command", command, "args", arguments);
    directory.ifPresent(folder -> container.put("workingDir", folder));
    container.putAll(
        Trees.map(
            "env",
            environment,
            "ports",
            Trees.list(Trees.map("name", "service", "containerPort", port)),
            "resources",
            Trees.map("requests", Trees.map(pairs(limits)), "limits", Trees.map(pairs(limits)))));
    container.put("startupProbe", probe(startSeconds(cores)));
    container.put("readinessProbe", probe(1));
    container.put("volumeMounts", mounts);
    container.put("securityContext", confined());
    return Trees.map("metadata", Trees.map("labels", labels), "spec", podSpecification(container));
  }

  /** The template of a pod that works until it is done. */
  Map<String, Object> job(Map<String, Object> labels) {
    Map<String, Object> container =
        Trees.map(
            "name",
            "server",
            "image",
            image,
            "command",
            command,
            "args",
            arguments,
            "volumeMounts",
            mounts,
            "securityContext",
            confined());
    Map<String, Object> specification = podSpecification(container);
    specification.put("restartPolicy", "Never");
    return Trees.map("metadata", Trees.map("labels", labels), "spec", specification);
  }

  private Map<String, Object> podSpecification(Map<String, Object> container) {
    return Trees.map(
        "automountServiceAccountToken",
        false,
        "enableServiceLinks",
        false,
        "securityContext",
        Trees.map(
            "runAsNonRoot",
            true,
            "runAsUser",
            user,
            "runAsGroup",
            user,
            "fsGroup",
            user,
            "seccompProfile",
            Trees.map("type", "RuntimeDefault")),
        "initContainers",
        before,
        "containers",
        Trees.list(container),
        "volumes",
        volumes);
  }

  /** Without more rights than its user has, and without a file of the image that it may change. */
  private static Map<String, Object> confined() {
    return Trees.map(
        "allowPrivilegeEscalation",
        false,
        "readOnlyRootFilesystem",
        true,
        "capabilities",
        Trees.map("drop", Trees.list("ALL")));
  }

  private Map<String, Object> probe(long failures) {
    Map<String, Object> probe = new LinkedHashMap<>();
    check.forEach((key, value) -> probe.put(key, Trees.copy(value)));
    probe.putAll(Trees.map("periodSeconds", 1, "timeoutSeconds", 1, "failureThreshold", failures));
    return probe;
  }

  /** Limits hold from the start here, where the lab sets them once a server is ready. */
  private long startSeconds(double cores) {
    double seconds = readyWithin.toMillis() / 1e3;
    return Math.max(1, (long) Math.ceil(seconds / Math.min(1, cores)));
  }

  private static Object[] pairs(Map<String, String> limits) {
    List<Object> pairs = new ArrayList<>();
    limits.forEach((key, value) -> {
      pairs.add(key);
      pairs.add(value);
    });
    return pairs.toArray();
  }
}
