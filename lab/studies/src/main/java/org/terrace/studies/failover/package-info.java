/**
 * The study of fail-over: where the time goes when a primary dies, and what each of six
 * improvements is worth.
 */
package org.terrace.studies.failover;
