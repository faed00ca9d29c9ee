/**
 * Membership as a pure state machine: probing, suspicion, refutation and dissemination, without
 * clock, network or randomness of its own.
 */
package org.terrace.groups.membership;
