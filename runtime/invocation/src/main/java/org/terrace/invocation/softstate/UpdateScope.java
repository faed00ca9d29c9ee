package org.terrace.invocation.softstate;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.terrace.core.RequestIdentity;

/**
 * The place where an update, run by all replicas and answered by one, takes effect: the replica's
 * soft state. The {@code execute} method of a {@code RequestDeduplication} of {@code
 * org.terrace.collections} is one.
 */
@FunctionalInterface
public interface UpdateScope {
  /**
   * Runs an update, unless it is decided already.
   *
   * @param answers whether this replica is the one that answers, and so the authority
   * @param work the update
   * @param effective from the reply, whether its effects stand
   * @return the reply, of this or an earlier time; empty if nothing is known of a request so old
   * @throws Exception what the work threw; it then had no effect
   */
  Optional<byte[]> execute(
      RequestIdentity request, boolean answers, Callable<byte[]> work, Predicate<byte[]> effective)
      throws Exception;
}
