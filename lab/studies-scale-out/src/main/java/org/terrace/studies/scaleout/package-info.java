/**
 * Scaling out: replicas of databases, application servers and clustering middleware under rising
 * loads, what holds each configuration back, and what it earns.
 */
package org.terrace.studies.scaleout;
