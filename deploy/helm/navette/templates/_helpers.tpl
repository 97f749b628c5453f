{{- define "navette.name" -}}
{{ .Release.Name }}
{{- end -}}

{{- /* Takes root and role. */ -}}
{{- define "navette.selector" -}}
app.kubernetes.io/name: navette
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end -}}

{{- /* The pod of a role. Takes root, role, and args of the command. */ -}}
{{- define "navette.pod" -}}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
enableServiceLinks: false
terminationGracePeriodSeconds: 75 # DRAIN_SECONDS, then jobs under way
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
containers:
  - name: navette
    image: {{ include "navette.image" .root | quote }}
    args: {{ .args }}
    securityContext:
      readOnlyRootFilesystem: true
      allowPrivilegeEscalation: false
      capabilities: { drop: [ALL] }
    envFrom:
      - secretRef: { name: {{ required "set existingSecret" .root.Values.existingSecret | quote }} }
    env:
      - { name: PUBLIC_URL, value: {{ required "set publicUrl" .root.Values.publicUrl | quote }} }
      - { name: OPERATOR_HOST, value: "0.0.0.0" }
      {{- range $name, $value := .root.Values.settings }}
      - { name: {{ $name }}, value: {{ $value | quote }} }
      {{- end }}
    volumeMounts:
      - { name: data, mountPath: /var/lib/navette }
    {{- if ne .role "migrate" }}
    ports:
      - { name: operator, containerPort: 9464 }
      {{- if eq .role "api" }}
      - { name: http, containerPort: 3000 }
      {{- end }}
    startupProbe:
      httpGet: { path: /healthz, port: operator }
      periodSeconds: 2
      failureThreshold: 60
    livenessProbe:
      httpGet: { path: /healthz, port: operator }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    readinessProbe:
      httpGet: { path: /readyz, port: operator }
      periodSeconds: 3
      timeoutSeconds: 3
    resources:
      {{- toYaml .resources | nindent 6 }}
    {{- end }}
volumes:
  - { name: data, emptyDir: { sizeLimit: 1Gi } } # label files: drawn again when lost, or set LABEL_STORE to a bucket
{{- end -}}

{{- define "navette.image" -}}
{{- if .Values.image.digest -}}
{{ required "set image.repository" .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ required "set image.repository" .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}
{{- end -}}
