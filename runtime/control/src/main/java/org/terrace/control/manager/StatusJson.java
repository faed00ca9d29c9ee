package org.terrace.control.manager;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.terrace.control.ServiceReference;
import org.terrace.control.link.Attendance;
import org.terrace.control.naming.Registration;
import org.terrace.middleware.Endpoint;

/**
 * The state of a manager as one line of JSON: what {@code terrace services} shows. Stateless.
 *
 * <p>Written by hand, as the runtime has no JSON library and this is the only JSON it writes.
 */
final class StatusJson {
  private StatusJson() {}

  static String of(
      ManagerCore core, String self, Attendance managers, long refused, long nowNanos) {
    return "{\"format\":\"terrace-services/1\",\"manager\":"
        + text(self)
        + ",\"leading\":"
        + core.isLeading()
        + ",\"leader\":"
        + text(core.leaderAddress())
        + ",\"term\":"
        + core.knownTerm()
        + ",\"managers\":"
        + Math.max(1, managers.present())
        + ",\"managersExpected\":"
        + managers.expected()
        + ",\"refused\":"
        + refused
        + ",\"services\":["
        + core.keepers().values().stream()
            .map(keeper -> service(core, keeper, nowNanos))
            .collect(Collectors.joining(","))
        + "]}";
  }

  /** An answer that is no state. */
  static String message(String field, String text) {
    return "{" + text(field) + ":" + text(text) + "}";
  }

  private static String service(ManagerCore core, ServiceKeeper keeper, long nowNanos) {
    Registration present = keeper.present();
    ServiceReference reference = present == null ? null : present.reference();
    List<Endpoint> listed = reference == null ? List.of() : reference.endpoints();
    String replicas =
        keeper.replicas().values().stream()
            .map(replica -> replica(core, replica, listed, nowNanos))
            .collect(Collectors.joining(","));
    return "{\"service\":"
        + text(keeper.service())
        + ",\"style\":"
        + text(reference == null ? null : word(reference.style()))
        + ",\"epoch\":"
        + (reference == null ? 0 : reference.epoch())
        + ",\"version\":"
        + (reference == null ? 0 : reference.version())
        + ",\"degree\":"
        + keeper.degree()
        + ",\"primary\":"
        + text(listed.isEmpty() ? null : listed.getFirst().replica())
        + ",\"launching\":"
        + keeper.launches().underWay()
        + ",\"failedLaunches\":"
        + keeper.launches().failures()
        + ",\"replicas\":["
        + replicas
        + "],\"lastFailOver\":"
        + failOver(keeper.lastFailOver(), nowNanos)
        + "}";
  }

  private static String replica(
      ManagerCore core, ReplicaRecord replica, List<Endpoint> listed, long nowNanos) {
    Endpoint endpoint = replica.endpoint;
    int place = listed.indexOf(endpoint);
    String role = place < 0 ? "spare" : place == 0 ? "primary" : "backup";
    return "{\"replica\":"
        + text(replica.name())
        + ",\"role\":"
        + text(role)
        + ",\"state\":"
        + text(replica.draining ? "draining" : word(core.verdict(replica.name())))
        + ",\"middleware\":"
        + text(endpoint.middleware())
        + ",\"address\":"
        + text(endpoint.host() + ":" + endpoint.port())
        + ",\"pid\":"
        + replica.pid
        + ",\"upMillis\":"
        + (nowNanos - replica.sinceNanos) / 1_000_000
        + "}";
  }

  private static String failOver(@Nullable FailOver last, long nowNanos) {
    if (last == null) {
      return "null";
    }
    return "{\"replica\":"
        + text(last.replica())
        + ",\"verdict\":"
        + text(word(last.verdict()))
        + ",\"wasPrimary\":"
        + last.wasPrimary()
        + ",\"agoMillis\":"
        + (nowNanos - last.failedNanos()) / 1_000_000
        + ",\"silenceMillis\":"
        + millis(last.silenceNanos())
        + ",\"referredMillis\":"
        + since(last, last.referredNanos())
        + ",\"restoredMillis\":"
        + since(last, last.restoredNanos())
        + "}";
  }

  private static String since(FailOver last, @Nullable Long nanos) {
    return nanos == null ? "null" : millis(nanos - last.failedNanos());
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.3f", nanos / 1e6);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String text(@Nullable String text) {
    if (text == null) {
      return "null";
    }
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }
}
