/** Seven three-tier applications: services, databases, rules, workloads and invariants. */
@org.jspecify.annotations.NullMarked
package org.terrace.seven;
