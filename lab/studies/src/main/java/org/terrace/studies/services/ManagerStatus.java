package org.terrace.studies.services;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The status of a service, as a replication manager tells it at one moment. Immutable.
 *
 * @param degree how many replicas there are to be
 * @param replicas those there are
 */
public record ManagerStatus(int degree, List<Replica> replicas) {

  /** Copies the list. */
  public ManagerStatus {
    replicas = List.copyOf(replicas);
  }

  /** The status of the first service in a manager's state; of no replicas if it tells none. */
  static ManagerStatus of(String state) {
    JsonNode service = JsonMapper.shared().readTree(state).path("services").path(0);
    List<Replica> replicas = new ArrayList<>();
    for (JsonNode replica : service.path("replicas")) {
      replicas.add(
          new Replica(
              replica.path("replica").asString(),
              replica.path("role").asString(),
              replica.path("state").asString(),
              replica.path("address").asString(),
              replica.path("pid").asLong()));
    }
    return new ManagerStatus(service.path("degree").asInt(), replicas);
  }

  /** A replica: its name, {@code primary}, {@code backup} or {@code spare}, and its process. */
  public record Replica(String name, String role, String state, String address, long pid) {
    boolean isListed() {
      return !role.equals("spare");
    }
  }

  /** The replica that answers calls. */
  public Optional<Replica> primary() {
    return replicas.stream().filter(replica -> replica.role().equals("primary")).findFirst();
  }

  /** Whether there are as many replicas as there are to be, none of them of that name. */
  public boolean isRestoredWithout(String lost) {
    // A manager that cannot tell says nothing of a degree either.
    return degree > 0
        && replicas.stream()
                .filter(replica -> replica.isListed() && !replica.name().equals(lost))
                .count()
            >= degree;
  }
}
