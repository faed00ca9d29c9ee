package org.terrace.control;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** References that never change. */
final class FixedNaming implements Naming {
  private final Map<String, ServiceReference> references = new HashMap<>();

  FixedNaming(ServiceReference... all) {
    for (ServiceReference reference : all) {
      references.put(reference.service(), reference);
    }
  }

  @Override
  public Optional<ServiceReference> resolve(String service) {
    return Optional.ofNullable(references.get(service));
  }

  @Override
  public Watch watch(String service, Consumer<ServiceReference> handler) {
    return () -> {};
  }

  @Override
  public void close() {}
}
