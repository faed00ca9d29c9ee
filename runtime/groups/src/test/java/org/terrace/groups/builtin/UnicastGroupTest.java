package org.terrace.groups.builtin;

import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.terrace.groups.Group;
import org.terrace.groups.GroupConformance;

@Tag("real-processes")
@Tag("untimed")
class UnicastGroupTest extends GroupConformance {
  private final BuiltInGroups groups = new BuiltInGroups();

  @Override
  protected Group open(String member) {
    return groups.open(groups.options(member));
  }

  @Override
  protected void await(String what, BooleanSupplier condition) {
    BuiltInGroups.await(what, condition);
  }
}
