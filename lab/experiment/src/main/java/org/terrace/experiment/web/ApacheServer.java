package org.terrace.experiment.web;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.hosts.TrialHosts.PlacedServer;
import org.terrace.nodes.NodeSpecification;
import org.terrace.nodes.NodeSpecification.Readiness;
import org.terrace.nodes.Signal;

/** Apache's httpd as a web server of a trial, in the layout of Debian's package. Stateless. */
public final class ApacheServer {
  private static final Path PROGRAM = Path.of("/usr/sbin/apache2");
  private static final Path MODULES = Path.of("/usr/lib/apache2/modules");
  private static final List<String> NEEDED =
      List.of(
          "mpm_event",
          "authz_core",
          "headers",
          "slotmem_shm",
          "watchdog",
          "proxy",
          "proxy_http",
          "proxy_balancer",
          "proxy_hcheck",
          "lbmethod_bybusyness");

  private ApacheServer() {}

  /** Fails with the command that installs it where it is not installed. */
  public static void requireInstalled() {
    if (!Files.isExecutable(PROGRAM)) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "web: apache needs "
              + PROGRAM
              + ", which is not there: install it with apt-get install apache2-bin, or use 'web: proxy'");
    }
  }

  /** The process that serves at that place, whose configuration is put beside it. */
  public static NodeSpecification specification(
      PlacedServer place, List<String> backends, Duration readyWithin) {
    Path folder = place.host().facts().folder();
    Path file = folder.resolve(place.name() + ".conf");
    place
        .host()
        .put(file, configuration(place.name(), place.address(), place.port(), backends, folder));
    List<String> command = List.of(PROGRAM.toString(), "-D", "FOREGROUND", "-f", file.toString());
    return NodeSpecification.of(
            place.name(), command, new Readiness.Port(place.address(), place.port()), readyWithin)
        .forking(Signal.TERM);
  }

  /**
   * The same duties as the built-in proxy has: sessions bound by a cookie, the least busy server
   * for the others, health checks, fail-over of what may be repeated, connections from its own
   * address.
   */
  static String configuration(
      String name, String address, int port, List<String> backends, Path logs) {
    StringBuilder text = new StringBuilder();
    for (String module : NEEDED) {
      // What is built in must not be loaded, and which that is the host alone knows.
      text.append("<IfModule !").append(module).append("_module>\n");
      text.append("  LoadModule ").append(module).append("_module ");
      text.append(MODULES.resolve("mod_" + module + ".so")).append("\n</IfModule>\n");
    }
    text.append(
        """
        ServerName %1$s
        ServerRoot "%2$s"
        DefaultRuntimeDir "%2$s"
        PidFile "%2$s/%1$s.pid"
        ErrorLog "%2$s/%1$s.error.log"
        Listen %3$s:%4$d
        Timeout 60
        KeepAlive On
        MaxKeepAliveRequests 0
        KeepAliveTimeout 60
        ServerLimit 16
        ThreadsPerChild 64
        MaxRequestWorkers 1024
        <Proxy "balancer://app">
        """
            .formatted(name, logs, address, port));
    for (String backend : backends) {
      int equals = backend.indexOf('=');
      text.append("  BalancerMember \"http://").append(backend.substring(equals + 1));
      text.append("\" route=").append(backend, 0, equals);
      text.append(" retry=1 ping=1 hcmethod=GET hcuri=/health hcinterval=1 hcfails=2 hcpasses=1\n");
    }
    text.append(
        """
          ProxySet lbmethod=bybusyness stickysession=TERRACE_ROUTE maxattempts=1
        </Proxy>
        ProxySourceAddress %s
        ProxyPreserveHost On
        ProxyPass "/" "balancer://app/"
        Header add Set-Cookie "TERRACE_ROUTE=.%%{BALANCER_WORKER_ROUTE}e; path=/; HttpOnly" env=BALANCER_ROUTE_CHANGED
        """
            .formatted(address));
    return text.toString();
  }
}
