package org.terrace.invocation.softstate;

import java.util.List;
import org.terrace.core.codec.FieldNumber;
import org.terrace.invocation.Read;
import org.terrace.middleware.Endpoint;

/**
 * The registry of a group's services, as a service that every replica offers: front ends, which are
 * no members of the group, learn from it who there is.
 */
public interface ServiceRegistry {
  /** The name under which replicas export it. */
  String NAME = "terrace.registry";

  /** The replicas of a service now; none if nobody offers it. */
  @Read
  List<Listed> replicas(String service);

  /**
   * One replica as the registry lists it.
   *
   * @param name its name
   * @param middleware what carries calls to it
   * @param host its host
   * @param port its port
   */
  record Listed(
      @FieldNumber(1) String name,
      @FieldNumber(2) String middleware,
      @FieldNumber(3) String host,
      @FieldNumber(4) int port) {
    /** The replica as an entry of a reference. */
    public Endpoint toEndpoint() {
      return new Endpoint(name, middleware, host, port, "");
    }
  }
}
