package org.terrace.groups.builtin;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.terrace.groups.Discovery;
import org.terrace.groups.Group;
import org.terrace.groups.GroupConformance;
import org.terrace.groups.GroupOptions;
import org.terrace.groups.Secret;

/** Members that know no address, find each other by multicast alone, and share a secret. */
@Tag("real-processes")
@Tag("untimed")
class MulticastGroupTest extends GroupConformance {
  private final InetSocketAddress multicast = BuiltInGroups.freshMulticast();
  private final Secret secret =
      new Secret("a key of the test, 28 bytes.".getBytes(StandardCharsets.UTF_8));

  @Override
  protected Group open(String member) {
    return Groups.open(
        GroupOptions.of("test", member, Discovery.none())
            .withAddress(BuiltInGroups.ADDRESS, 0)
            .withMulticast(multicast)
            .withSecret(secret));
  }

  @Override
  protected void await(String what, BooleanSupplier condition) {
    BuiltInGroups.await(what, condition);
  }
}
